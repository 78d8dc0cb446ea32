#include "query.h"

#include "buf.h"
#include "check.h"
#include "mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHORTEST_PART 3

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    const char *at;
    const struct query_field *fields;
    struct err_text *why;
};

static enum err wrong(const struct reader *reader, const char *what)
{
    return err_say(reader->why, ERR_INVALID, "The query is not understood at \"%.40s\": %s.",
                   reader->at, what);
}

static void skip_space(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool take(struct reader *reader, const char *token)
{
    size_t length = strlen(token);
    if (strncmp(reader->at, token, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* A word of the language: not the beginning of a longer one. */
static bool take_word(struct reader *reader, const char *word)
{
    size_t length = strlen(word);
    if (strncasecmp(reader->at, word, length) != 0 || isalnum((unsigned char)reader->at[length]) ||
        reader->at[length] == '_')
        return false;
    reader->at += length;
    return true;
}

/* 'text' or "text", a backslash in front of a quote; *TEXT is owned by the caller. */
static enum err read_quoted(struct reader *reader, char **text)
{
    struct buf buf = {0};
    char quote = *reader->at;
    if (quote != '\'' && quote != '"')
        return wrong(reader, "a text in quotes belongs here");
    const char *c = reader->at + 1;
    for (; *c != '\0' && *c != quote; c++) {
        if (*c == '\\' && c[1] != '\0')
            c++;
        buf_add_char(&buf, *c);
    }
    if (*c == '\0') {
        buf_release(&buf);
        return wrong(reader, "a quote is not closed");
    }
    reader->at = c + 1;
    *text = buf_take(&buf);
    return ERR_OK;
}

static enum err read_key(struct reader *reader, struct query_clause *clause)
{
    if (!take(reader, "["))
        return wrong(reader, "metadata needs its key, as in metadata['order_id']");
    enum err err = read_quoted(reader, &clause->key);
    if (err == ERR_OK && !take(reader, "]"))
        err = wrong(reader, "] is missing");
    return err;
}

static enum err read_field(struct reader *reader, struct query_clause *clause)
{
    size_t length = 0;
    clause->negated = take(reader, "-");
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        length++;
    for (const struct query_field *field = reader->fields; field->name != NULL; field++)
        if (strlen(field->name) == length && strncmp(field->name, reader->at, length) == 0)
            clause->field = field;
    if (clause->field == NULL)
        return wrong(reader, "there is no such field to search by");
    reader->at += length;
    return clause->field->type == QUERY_METADATA ? read_key(reader, clause) : ERR_OK;
}

static enum err read_comparison(struct reader *reader, struct query_clause *clause)
{
    static const struct {
        const char *token;
        enum query_comparison comparison;
    } tokens[] = {{">=", QUERY_GTE}, {"<=", QUERY_LTE}, {">", QUERY_GT},
                  {"<", QUERY_LT},   {":", QUERY_IS},   {"~", QUERY_HAS}};
    enum query_type type = clause->field->type;
    const struct reader start = *reader;
    size_t i = 0;
    while (i < sizeof tokens / sizeof tokens[0] && !take(reader, tokens[i].token))
        i++;
    if (i == sizeof tokens / sizeof tokens[0])
        return wrong(reader, "one of : ~ > < >= <= belongs here");
    clause->comparison = tokens[i].comparison;
    bool compares = clause->comparison != QUERY_IS && clause->comparison != QUERY_HAS;
    if (compares && type != QUERY_NUMBER)
        return wrong(&start, "only numbers can be compared");
    if (clause->comparison == QUERY_HAS && type != QUERY_TEXT)
        return wrong(&start, "this field can only be asked for as a whole");
    return ERR_OK;
}

static enum err read_number(struct reader *reader, struct query_clause *clause)
{
    char *end;
    errno = 0;
    clause->number = strtoll(clause->text, &end, 10);
    if (errno != 0 || *end != '\0' || !isdigit((unsigned char)clause->text[0]))
        return wrong(reader, "a whole number belongs here");
    return ERR_OK;
}

static enum err read_value(struct reader *reader, struct query_clause *clause)
{
    const struct reader start = *reader;
    enum err err = ERR_OK;
    size_t digits = strspn(reader->at, "0123456789");
    if (clause->field->type == QUERY_METADATA && take_word(reader, "null"))
        return ERR_OK;
    if (clause->field->type == QUERY_NUMBER && digits > 0) {
        clause->text = mem_strndup(reader->at, digits);
        reader->at += digits;
    } else {
        err = read_quoted(reader, &clause->text);
    }
    if (err == ERR_OK && clause->field->type == QUERY_NUMBER)
        err = read_number(reader, clause);
    if (err == ERR_OK && clause->comparison == QUERY_HAS && strlen(clause->text) < SHORTEST_PART)
        err = wrong(&start, "a part has three characters at least");
    return err;
}

static enum err read_clause(struct reader *reader, struct query_clause *clause)
{
    enum err err = read_field(reader, clause);
    if (err == ERR_OK)
        err = read_comparison(reader, clause);
    return err == ERR_OK ? read_value(reader, clause) : err;
}

static enum err read_joint(struct reader *reader, struct query *query)
{
    bool both = take_word(reader, "AND");
    bool any = !both && take_word(reader, "OR");
    if (!both && !any)
        return wrong(reader, "AND or OR belongs here");
    if (query->count > 1 && any != query->any)
        return wrong(reader, "AND and OR cannot be mixed");
    if (query->count == QUERY_MOST_CLAUSES)
        return wrong(reader, "there are too many clauses");
    query->any = any;
    return ERR_OK;
}

enum err query_parse(const char *text, const struct query_field *fields, struct query *query,
                     struct err_text *why)
{
    struct reader reader = {.at = text, .fields = fields, .why = why};
    enum err err = ERR_OK;
    *query = (struct query){0};
    do {
        skip_space(&reader);
        if (query->count > 0)
            err = read_joint(&reader, query);
        skip_space(&reader);
        if (err == ERR_OK)
            err = read_clause(&reader, &query->clauses[query->count++]);
        skip_space(&reader);
    } while (err == ERR_OK && *reader.at != '\0');
    if (err != ERR_OK)
        query_release(query);
    return err;
}

void query_release(struct query *query)
{
    for (size_t i = 0; i < query->count; i++) {
        free(query->clauses[i].key);
        free(query->clauses[i].text);
    }
    *query = (struct query){0};
}

/* --- asking ----------------------------------------------------------------------------------- */

static bool number_fits(const struct query_clause *clause, int64_t number)
{
    switch (clause->comparison) {
    case QUERY_IS:
        return number == clause->number;
    case QUERY_GT:
        return number > clause->number;
    case QUERY_LT:
        return number < clause->number;
    case QUERY_GTE:
        return number >= clause->number;
    case QUERY_LTE:
        return number <= clause->number;
    case QUERY_HAS:
        break;
    }
    CHECK_UNREACHABLE();
}

static bool text_fits(const struct query_clause *clause, const struct json *value)
{
    const char *text = json_as_string(value);
    if (json_is_bool(value))
        text = json_as_bool(value) ? "true" : "false";
    if (clause->text == NULL || text == NULL)
        return clause->text == NULL && text == NULL;
    return clause->comparison == QUERY_HAS ? strcasestr(text, clause->text) != NULL
                                           : strcasecmp(text, clause->text) == 0;
}

static bool clause_fits(const struct query_clause *clause, const struct json *object)
{
    const struct json *value = json_get(object, clause->field->name);
    int64_t number = 0;
    if (clause->field->type == QUERY_NUMBER)
        return json_as_int(value, &number) && number_fits(clause, number);
    return text_fits(clause, clause->key == NULL ? value : json_get(value, clause->key));
}

bool query_matches(const struct query *query, const struct json *object)
{
    for (size_t i = 0; i < query->count; i++) {
        const struct query_clause *clause = &query->clauses[i];
        if ((clause_fits(clause, object) != clause->negated) == query->any)
            return query->any;
    }
    return !query->any;
}
