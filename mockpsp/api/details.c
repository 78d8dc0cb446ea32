#include "details.h"

#include "check.h"
#include "fields.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 500

#define ADDRESS(in)                                                                                \
    in "[city]", in "[country]", in "[line1]", in "[line2]", in "[postal_code]", in "[state]"

const char *const DETAILS_ADDRESS[] = {ADDRESS(""), NULL};
const char *const DETAILS_SHIPPING[] = {ADDRESS("[address]"), "[carrier]", "[name]", "[phone]",
                                        "[tracking_number]",  NULL};
const char *const DETAILS_BILLING[] = {ADDRESS("[address]"), "[email]", "[name]", "[phone]",
                                       "[tax_id]",           NULL};

struct json *details_render(const char *text)
{
    struct json *json;
    if (text == NULL)
        return json_null();
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK); /* we wrote it */
    return json;
}

static bool is_known(const char *member, const char *const *known)
{
    for (size_t i = 0; known[i] != NULL; i++)
        if (strcmp(known[i], member) == 0)
            return true;
    return false;
}

/* MEMBER is "[name]" or "[address][city]", one of those known. */
static void put(struct json *json, const char *member, const char *value)
{
    size_t length = strcspn(member + 1, "]");
    char *name = mem_strndup(member + 1, length);
    const char *rest = member + 1 + length + 1;
    if (*rest == '\0') {
        json_set_string(json, name, *value == '\0' ? NULL : value);
    } else {
        if (json_get(json, name) == NULL)
            json_set(json, name, json_object());
        put(json_get_mutable(json, name), rest, value);
    }
    free(name);
}

static bool merge_one(struct exchange *x, const struct param *param, const char *member,
                      const char *const *known, struct json *json)
{
    const char *value;
    if (!is_known(member, known)) {
        reply_error(&x->reply,
                    (struct api_error){.status = 400,
                                       .code = "parameter_unknown",
                                       .param = param->name,
                                       .message = "Received unknown parameter in a hash."});
        return false;
    }
    if (!fields_text(x, param->name, LONGEST, &value))
        return false;
    put(json, member, param->value);
    return true;
}

bool details_merge(struct exchange *x, const char *root, const char *const *known, char **text)
{
    const char *whole = params_get(&x->params, root);
    struct json *json = *text == NULL ? json_object() : details_render(*text);
    bool said = false, good = true;
    for (size_t i = 0; i < x->params.count && good; i++) {
        const struct param *param = &x->params.list[i];
        if (!params_under(param, root) || strcmp(param->name, root) == 0)
            continue;
        said = true;
        good = merge_one(x, param, param->name + strlen(root), known, json);
    }
    if (good && (said || whole != NULL)) {
        free(*text);
        *text = said ? json_print(json) : NULL;
    }
    json_free(json);
    return good;
}
