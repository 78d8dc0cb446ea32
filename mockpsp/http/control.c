#include "control.h"

#include "auth.h"
#include "control_call.h"
#include "mem.h"
#include "route.h"
#include "secret.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct control_route {
    const char *method;
    const char *path;
    void (*handle)(struct control_call *call);
    const char *does;
} ROUTES[] = {
#define CONTROL_ROUTE(method, path, handler, does) {method, path, handler, does},
    CONTROL_LIST(CONTROL_ROUTE)
#undef CONTROL_ROUTE
};

#define ROUTE_COUNT (sizeof ROUTES / sizeof ROUTES[0])

/* --- the index -------------------------------------------------------------------------------- */

static struct json *describe_line(const char *method, const char *path, const char *does)
{
    struct json *json = json_object();
    json_set_string(json, "method", method);
    json_set_string(json, "path", path);
    json_maybe_string(json, "does", does);
    return json;
}

void control_get_index(struct control_call *call)
{
    struct json *json = json_object();
    struct json *requests = json_array();
    struct json *calls = json_array();
    struct json *dialects = json_array();
    for (const struct operation *row = route_table(); row->method != NULL; row++)
        json_push(requests, describe_line(row->method, row->path, NULL));
    for (size_t i = 0; i < ROUTE_COUNT; i++)
        json_push(calls, describe_line(ROUTES[i].method, ROUTES[i].path, ROUTES[i].does));
    for (int i = 0; dialect_number(i) != NULL; i++)
        json_push(dialects, json_string(dialect_number(i)->name.text));
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set(json, "requests", requests);
    json_set(json, "control", calls);
    json_set(json, "dialects", dialects);
    if (call->control->describe_options != NULL)
        json_set(json, "options", call->control->describe_options());
    reply_object(call->reply, 200, json);
}

/* --- finding the handler ---------------------------------------------------------------------- */

/* With what the path does take, also in Allow (RFC 9110, 15.5.6). METHODS is released. */
static void refuse_unknown(struct control_call *call, struct buf *methods)
{
    if (methods->len == 0) {
        control_refuse(call, 404, "There is no such call: GET /_mock/ lists them.");
        return;
    }
    char *message = mem_printf("This call takes %s: GET /_mock/ lists all.", buf_string(methods));
    control_refuse(call, 405, message);
    reply_header(call->reply, "Allow", buf_string(methods));
    free(message);
    buf_release(methods);
}

static void dispatch(struct control_call *call)
{
    struct buf methods = {0};
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        const char *id = NULL;
        size_t length = 0;
        if (!route_matches(ROUTES[i].path, call->request->path, &id, &length))
            continue;
        if (strcmp(ROUTES[i].method, call->request->method) != 0) {
            buf_addf(&methods, "%s%s", methods.len == 0 ? "" : ", ", ROUTES[i].method);
            continue;
        }
        buf_release(&methods);
        call->id = length == 0 ? NULL : mem_strndup(id, length);
        ROUTES[i].handle(call);
        free(call->id);
        return;
    }
    refuse_unknown(call, &methods);
}

static enum err read_input(struct control_call *call, struct err_text *why)
{
    const struct buf *body = &call->request->body;
    const char *query = call->request->query == NULL ? "" : call->request->query;
    const char *start = buf_string(body) + strspn(buf_string(body), " \t\r\n");
    enum err err = params_parse(query, strlen(query), &call->params, why);
    if (err != ERR_OK)
        return err;
    if (!utf8_valid(start))
        return err_say(why, ERR_INVALID, "The body has to be UTF-8.");
    if (*start == '{' || *start == '[' || *start == '"')
        return json_parse(body->data, body->len, &call->body, why);
    return params_parse(body->data, body->len, &call->params, why);
}

bool control_owns(const char *path)
{
    return strncmp(path, "/_mock/", 7) == 0 || strcmp(path, "/_mock") == 0;
}

/* In the same time for every wrong token: it must not be guessed letter by letter. */
static bool same_token(const char *given, const char *wanted)
{
    size_t length = strlen(wanted);
    unsigned char differs = strlen(given) != length;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(given[differs ? 0 : i] ^ wanted[i]);
    return differs == 0;
}

/* False after refusing. A webhook comes from this machine, but whoever chose its URL may be a mere
 * client. */
static bool may_control(struct control_call *call, bool local)
{
    const char *token = call->control->token;
    const char *given = request_header(call->request, "X-Mock-Token");
    if (request_header(call->request, "Stripe-Signature") != NULL) {
        control_refuse(call, 403, "The control plane takes no webhooks.");
        return false;
    }
    if (token == NULL && local)
        return true;
    if (token != NULL && given != NULL && same_token(given, token))
        return true;
    if (token == NULL)
        control_refuse(call, 403,
                       "The control plane answers this machine only: start mockpsp with "
                       "--control-token to reach it from another one.");
    else
        control_refuse(call, 403,
                       "The control plane wants its token: send the header X-Mock-Token.");
    return false;
}

void control_handle(struct control *control, const struct request *request, bool local,
                    struct reply *reply)
{
    struct err_text why;
    char *account = auth_account(request);
    struct control_call call = {
        .control = control, .request = request, .account = account, .reply = reply};
    enum err err = read_input(&call, &why);
    if (secret_is_live_key(account) || secret_in_request(request, &call.params) ||
        secret_in_json(call.body))
        control_refuse(&call, 401,
                       "This is a test provider: a key of live mode was sent and refused.");
    else if (may_control(&call, local) && err != ERR_OK)
        control_refuse(&call, 400, why.text);
    else if (!reply_decided(reply))
        dispatch(&call);
    params_release(&call.params);
    json_free(call.body);
    free(account);
}
