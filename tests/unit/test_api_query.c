/* The search language: what it finds, and what it refuses. */
#include "buf.h"
#include "query.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct query_field FIELDS[] = {
    {"amount", QUERY_NUMBER}, {"status", QUERY_WORD},       {"paid", QUERY_WORD},
    {"name", QUERY_TEXT},     {"metadata", QUERY_METADATA}, {NULL, QUERY_WORD},
};

static const char OBJECT[] = "{\"amount\":1000,\"status\":\"succeeded\",\"paid\":true,"
                             "\"name\":\"Jenny Rosen\",\"metadata\":{\"order_id\":\"6735\","
                             "\"it's\":\"a \\\"b\\\"\"},\"secret\":\"x\"}";

static bool finds(const char *text)
{
    struct query query;
    struct err_text why;
    struct json *object;
    cr_assert_eq(json_parse(OBJECT, strlen(OBJECT), &object, NULL), ERR_OK);
    cr_assert_eq(query_parse(text, FIELDS, &query, &why), ERR_OK, "%s: %s", text, why.text);
    bool found = query_matches(&query, object);
    query_release(&query);
    json_free(object);
    return found;
}

Test(query, finds_what_fits_and_nothing_else)
{
    static const struct {
        const char *text;
        bool found;
    } cases[] = {
        {"status:'succeeded'", true},
        {"status:\"SUCCEEDED\"", true},
        {"status:'succeed'", false},
        {"-status:'canceled'", true},
        {"-status:'succeeded'", false},
        {"paid:'true'", true},
        {"paid:'false'", false},
        {"amount:1000", true},
        {"amount:'1000'", true},
        {"amount>999", true},
        {"amount>1000", false},
        {"amount>=1000 AND amount<=1000", true},
        {"amount<1000", false},
        {"-amount<1000", true},
        {"name~'rose'", true},
        {"name~'roses'", false},
        {"name:'rosen'", false},
        {"metadata['order_id']:'6735'", true},
        {"metadata[\"order_id\"]:\"6735\"", true},
        {"metadata['order_id']:'673'", false},
        {"metadata['order_id']:null", false},
        {"-metadata['order_id']:null", true},
        {"metadata['none']:null", true},
        {"metadata['none']:'6735'", false},
        {"metadata['it\\'s']:'a \"b\"'", true},
        {"metadata[\"it's\"]:\"a \\\"b\\\"\"", true},
        {"status:'succeeded' AND amount>1", true},
        {"status:'succeeded' AND amount>1 AND paid:'false'", false},
        {"status:'canceled' OR amount>1", true},
        {"status:'canceled' OR amount<1 OR paid:'false'", false},
        {"  status:'succeeded'   and   amount>1  ", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(finds(cases[i].text), cases[i].found, "%s", cases[i].text);
}

Test(query, refuses_what_it_does_not_understand)
{
    static const char *const texts[] = {
        "",
        " ",
        "status",
        "status:",
        "status:succeeded",
        "status:'succeeded",
        "status='succeeded'",
        "status>'a'",
        "status~'succ'",
        "status:null",
        "secret:'x'",
        "statu:'x'",
        "name~'ro'",
        "amount:x",
        "amount:'x'",
        "amount>-1",
        "amount>99999999999999999999",
        "amount~'100'",
        "metadata:'x'",
        "metadata[order_id]:'x'",
        "metadata['order_id':'x'",
        "metadata['order_id']~'673'",
        "status:'a' status:'b'",
        "status:'a' AND",
        "AND status:'a'",
        "status:'a' ANDamount:1",
        "status:'a' AND amount:1 OR amount:2",
        "--status:'a'",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct query query;
        struct err_text why = {0};
        cr_expect_eq(query_parse(texts[i], FIELDS, &query, &why), ERR_INVALID, "%s", texts[i]);
        cr_expect_neq(why.text[0], '\0', "%s", texts[i]);
        cr_expect_eq(query.count, 0);
    }
}

Test(query, refuses_an_eleventh_clause)
{
    struct buf text = {0};
    struct query query;
    for (int i = 0; i < 11; i++)
        buf_addf(&text, "%samount:1", i == 0 ? "" : " AND ");
    cr_expect_eq(query_parse(buf_string(&text), FIELDS, &query, NULL), ERR_INVALID);
    buf_release(&text);
}
