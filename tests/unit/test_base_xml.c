#include "buf.h"
#include "mem.h"
#include "xml.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_json(const char *xml, const char *expected)
{
    struct json *json;
    struct err_text why = {0};
    cr_assert_eq(xml_parse(xml, strlen(xml), &json, &why), ERR_OK, "%s: %s", xml, why.text);
    char *printed = json_print(json);
    cr_expect_str_eq(printed, expected, "%s: %s", xml, printed);
    free(printed);
    json_free(json);
}

static void expect_refused(const char *xml, size_t length, enum err expected, const char *says)
{
    struct json *json = json_null();
    struct json *made = json;
    struct err_text why = {0};
    cr_expect_eq(xml_parse(xml, length, &made, &why), expected, "%s", xml);
    cr_expect_null(made);
    cr_expect_not_null(strstr(why.text, says), "%s: %s", xml, why.text);
    json_free(json);
}

static void refused(const char *xml, const char *says)
{
    expect_refused(xml, strlen(xml), ERR_INVALID, says);
}

Test(xml, elements_become_members)
{
    expect_json("<transaction><amount>20.00</amount><order-id>a &amp; b</order-id></transaction>",
                "{\"transaction\":{\"amount\":\"20.00\",\"order_id\":\"a & b\"}}");
    expect_json("<?xml version='1.0'?>\n<a>\n  <b_c type=\"integer\">7</b_c>\n  <d/>\n</a>\n",
                "{\"a\":{\"b_c\":\"7\",\"d\":\"\"}}");
    expect_json("<a><b nil=\"true\"/><c><![CDATA[<x>]]>&#228;</c></a>",
                "{\"a\":{\"b\":null,\"c\":\"<x>ä\"}}");
    expect_json("<a>text</a>", "{\"a\":\"text\"}");
}

Test(xml, arrays_say_that_they_are)
{
    expect_json("<a><ids type=\"array\"><item>1</item><item>2</item></ids></a>",
                "{\"a\":{\"ids\":[\"1\",\"2\"]}}");
    expect_json("<a><ids type=\"array\"/></a>", "{\"a\":{\"ids\":[]}}");
    expect_json("<a><b>1</b><b>2</b></a>", "{\"a\":{\"b\":\"2\"}}");
}

Test(xml, what_is_no_document_is_refused)
{
    refused("", "no element found at line 1");
    refused("<a>", "no element found");
    refused("<a></b>", "mismatched tag");
    refused("<a/><b/>", "junk after document element");
    refused("{\"a\":1}", "not well-formed");
    refused("<a>&nbsp;</a>", "undefined entity");
    refused("<a>text<b/></a>", "text stands between elements");
    refused("<a><b/>text</a>", "text stands between elements");
    refused("<a>\xff</a>", "not well-formed");
    expect_refused("<a>\0</a>", 8, ERR_INVALID, "not well-formed");
}

/* Neither an entity that grows nor one that reads a file gets as far as being declared. */
Test(xml, document_types_are_refused)
{
    refused("<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>",
            "document types are not accepted");
    refused("<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><a>&f;</a>",
            "document types are not accepted");
    refused("<!DOCTYPE a SYSTEM \"http://localhost/a.dtd\"><a/>",
            "document types are not accepted");
}

static char *nested(int depth)
{
    struct buf text = {0};
    for (int i = 0; i < depth; i++)
        buf_add_string(&text, "<a>");
    for (int i = 0; i < depth; i++)
        buf_add_string(&text, "</a>");
    return buf_take(&text);
}

/* Each is compared with its elder siblings: a million would take minutes. */
Test(xml, elements_have_an_end)
{
    struct buf document = {0};
    buf_add_string(&document, "<a>");
    for (int i = 1; i < XML_MOST_ELEMENTS; i++)
        buf_addf(&document, "<b%d/>", i);
    struct json *json;
    buf_add_string(&document, "</a>");
    cr_assert_eq(xml_parse(document.data, document.len, &json, NULL), ERR_OK);
    json_free(json);
    document.len -= strlen("</a>");
    buf_add_string(&document, "<c/></a>");
    expect_refused(document.data, document.len, ERR_LIMIT, "too many elements");
    buf_release(&document);
}

Test(xml, nesting_has_an_end)
{
    struct json *json;
    char *most = nested(XML_MOST_NESTING);
    char *more = nested(XML_MOST_NESTING + 1);
    cr_assert_eq(xml_parse(most, strlen(most), &json, NULL), ERR_OK);
    json_free(json);
    expect_refused(more, strlen(more), ERR_LIMIT, "elements nest too deep");
    free(most);
    free(more);
}

static void expect_xml(const char *text, const char *expected)
{
    struct json *json;
    cr_assert_eq(json_parse(text, strlen(text), &json, NULL), ERR_OK, "%s", text);
    char *printed = xml_print(json);
    char *whole = expected == NULL
                      ? NULL
                      : mem_printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s\n", expected);
    if (whole == NULL)
        cr_expect_null(printed);
    else
        cr_expect_str_eq(printed, whole, "%s", printed);
    free(whole);
    free(printed);
    json_free(json);
}

Test(xml, values_say_what_they_are)
{
    expect_xml("{\"transaction\":{\"order_id\":\"<a> & b\",\"count\":1,\"rate\":0.5,\"paid\":true,"
               "\"none\":null,\"created_at\":\"2026-01-01T00:00:00Z\"}}",
               "<transaction><order-id>&lt;a&gt; &amp; b</order-id>"
               "<count type=\"integer\">1</count><rate type=\"decimal\">0.5</rate>"
               "<paid type=\"boolean\">true</paid><none nil=\"true\"></none>"
               "<created-at type=\"datetime\">2026-01-01T00:00:00Z</created-at></transaction>");
    expect_xml("{\"a\":{\"errors\":[{\"code\":\"1\"},{\"code\":\"2\"}],\"list\":[\"x\"],\"c\":[]}}",
               "<a><errors type=\"array\"><error><code>1</code></error><error><code>2</code>"
               "</error></errors><list type=\"array\"><item>x</item></list>"
               "<c type=\"array\"></c></a>");
}

Test(xml, what_it_cannot_hold_is_replaced)
{
    expect_xml("{\"a\":\"x\\u0001y\\uffff\\n\"}", "<a>x\xEF\xBF\xBDy\xEF\xBF\xBD\n</a>");
    expect_xml("{\"1 <b\":\"x\"}", "<x1--b>x</x1--b>");
}

Test(xml, a_document_has_one_root)
{
    expect_xml("{}", NULL);
    expect_xml("{\"a\":1,\"b\":2}", NULL);
    expect_xml("[1]", NULL);
    expect_xml("\"a\"", NULL);
}
