#include "xml.h"

#include "buf.h"
#include "check.h"
#include "mem.h"

#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

/* An element that is open. */
struct frame {
    char *name;
    struct json *children; /* NULL until it has one, unless it is an array */
    struct buf text;
    bool nil;
};

struct reader {
    XML_Parser parser;
    struct frame open[XML_MOST_NESTING];
    int depth;
    int elements;      /* so far: each is compared with its elder siblings */
    struct json *root; /* the whole, once its last element is closed */
    enum err err;      /* what was wrong beyond the grammar of XML */
    const char *wrong;
};

static void stop(struct reader *reader, enum err err, const char *wrong)
{
    reader->err = err;
    reader->wrong = wrong;
    XML_StopParser(reader->parser, XML_FALSE);
}

static char *underscored(const char *name)
{
    char *copy = mem_strdup(name);
    for (char *c = copy; *c != '\0'; c++)
        if (*c == '-')
            *c = '_';
    return copy;
}

static bool is_blank(const struct buf *text)
{
    return strspn(buf_string(text), " \t\r\n") == text->len;
}

static void XMLCALL begin_element(void *context, const XML_Char *name, const XML_Char **attributes)
{
    struct reader *reader = context;
    if (reader->depth == XML_MOST_NESTING) {
        stop(reader, ERR_LIMIT, "elements nest too deep");
        return;
    }
    if (++reader->elements > XML_MOST_ELEMENTS) {
        stop(reader, ERR_LIMIT, "too many elements");
        return;
    }
    struct frame *frame = &reader->open[reader->depth++];
    *frame = (struct frame){.name = underscored(name)};
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], "type") == 0 && strcmp(attributes[1], "array") == 0)
            frame->children = json_array();
        frame->nil =
            frame->nil || (strcmp(attributes[0], "nil") == 0 && strcmp(attributes[1], "true") == 0);
    }
}

static void put(struct json *parent, const char *name, struct json *value)
{
    if (json_is_array(parent))
        json_push(parent, value);
    else
        json_set(parent, name, value);
}

static void XMLCALL end_element(void *context, const XML_Char *name)
{
    struct reader *reader = context;
    struct frame *frame = &reader->open[--reader->depth];
    struct json *value = frame->children;
    (void)name;
    if (value != NULL && !is_blank(&frame->text))
        stop(reader, ERR_INVALID, "text stands between elements");
    if (value == NULL)
        value = frame->nil ? json_null() : json_string(buf_string(&frame->text));
    struct json **parent =
        reader->depth == 0 ? &reader->root : &reader->open[reader->depth - 1].children;
    if (*parent == NULL)
        *parent = json_object();
    put(*parent, frame->name, value);
    buf_release(&frame->text);
    free(frame->name);
}

static void XMLCALL add_text(void *context, const XML_Char *text, int length)
{
    struct reader *reader = context;
    buf_add(&reader->open[reader->depth - 1].text, text, (size_t)length);
}

static void XMLCALL begin_doctype(void *context, const XML_Char *name, const XML_Char *system,
                                  const XML_Char *public, int has_subset)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_subset;
    stop(context, ERR_INVALID, "document types are not accepted");
}

static void reader_release(struct reader *reader)
{
    XML_ParserFree(reader->parser);
    while (reader->depth > 0) {
        struct frame *frame = &reader->open[--reader->depth];
        json_free(frame->children);
        buf_release(&frame->text);
        free(frame->name);
    }
    json_free(reader->root);
}

static enum err say_wrong(const struct reader *reader, struct err_text *why)
{
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (reader->wrong == NULL)
        return err_say(why, ERR_INVALID, "%s at line %lu", XML_ErrorString(code),
                       (unsigned long)XML_GetCurrentLineNumber(reader->parser));
    return err_say(why, reader->err, "%s", reader->wrong);
}

enum err xml_parse(const char *text, size_t length, struct json **json, struct err_text *why)
{
    struct reader reader = {.parser = XML_ParserCreate("UTF-8")};
    enum err err = ERR_OK;
    *json = NULL;
    CHECK(reader.parser != NULL && length <= INT_MAX);
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, begin_element, end_element);
    XML_SetCharacterDataHandler(reader.parser, add_text);
    XML_SetStartDoctypeDeclHandler(reader.parser, begin_doctype);
    bool good = XML_Parse(reader.parser, text, (int)length, 1) == XML_STATUS_OK;
    /* An element that is the last one may have been wrong as well. */
    if (!good || reader.err != ERR_OK) {
        err = say_wrong(&reader, why);
    } else {
        *json = reader.root;
        reader.root = NULL;
    }
    reader_release(&reader);
    return err;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* How many bytes of TEXT are a character that XML 1.0 has no place for: a control character, U+FFFE
 * or U+FFFF. 0: none. */
static size_t unwritable(const char *text)
{
    unsigned char first = (unsigned char)*text;
    if (first < ' ' && strchr("\t\n\r", *text) == NULL)
        return 1;
    bool noncharacter =
        strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0;
    return noncharacter ? 3 : 0;
}

static void add_escaped(struct buf *out, const char *text)
{
    while (*text != '\0') {
        size_t skip = unwritable(text);
        if (skip > 0)
            buf_add_string(out, "\xEF\xBF\xBD");
        else if (*text == '&')
            buf_add_string(out, "&amp;");
        else if (*text == '<')
            buf_add_string(out, "&lt;");
        else if (*text == '>')
            buf_add_string(out, "&gt;");
        else
            buf_add_char(out, *text);
        text += skip == 0 ? 1 : skip;
    }
}

/* What no element can be called is written with dashes. */
static char *element_name(const char *name)
{
    bool starts = isalpha((unsigned char)*name);
    char *copy = mem_printf("%s%s", starts ? "" : "x", name);
    for (char *c = copy; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c))
            *c = '-';
    return copy;
}

static void add_element(struct buf *out, const char *name, const struct json *value);

/* Of "errors" each is an "error". */
static void add_items(struct buf *out, const char *name, const struct json *array)
{
    size_t length = strlen(name);
    bool plural = length > 1 && name[length - 1] == 's';
    char *item = plural ? mem_strndup(name, length - 1) : mem_strdup("item");
    for (const struct json *one = json_first(array); one != NULL; one = json_next(one))
        add_element(out, item, one);
    free(item);
}

static const char *type_of(const char *name, const struct json *value)
{
    double number;
    int64_t whole;
    size_t length = strlen(name);
    if (json_is_array(value))
        return " type=\"array\"";
    if (json_is_null(value))
        return " nil=\"true\"";
    if (json_is_bool(value))
        return " type=\"boolean\"";
    if (json_as_string(value) != NULL)
        return length > 3 && strcmp(name + length - 3, "_at") == 0 ? " type=\"datetime\"" : "";
    if (json_as_int(value, &whole))
        return " type=\"integer\"";
    return json_as_double(value, &number) ? " type=\"decimal\"" : "";
}

static void add_scalar(struct buf *out, const struct json *value)
{
    char *printed = json_print(value);
    add_escaped(out, json_as_string(value) == NULL ? printed : json_as_string(value));
    free(printed);
}

static void add_element(struct buf *out, const char *name, const struct json *value)
{
    char *element = element_name(name);
    buf_addf(out, "<%s%s>", element, type_of(name, value));
    if (json_is_array(value))
        add_items(out, name, value);
    else if (json_is_object(value))
        for (const struct json *one = json_first(value); one != NULL; one = json_next(one))
            add_element(out, json_name(one), one);
    else if (!json_is_null(value))
        add_scalar(out, value);
    buf_addf(out, "</%s>", element);
    free(element);
}

char *xml_print(const struct json *json)
{
    struct buf out = {0};
    if (!json_is_object(json) || json_count(json) != 1)
        return NULL;
    buf_add_string(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add_element(&out, json_name(json_first(json)), json_first(json));
    buf_add_char(&out, '\n');
    return buf_take(&out);
}
