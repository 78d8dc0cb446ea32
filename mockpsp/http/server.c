#include "server.h"

#include "check.h"
#include "http_call.h"
#include "log.h"
#include "mem.h"
#include "peer.h"
#include "pipeline.h"

#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define CONNECTION_MEMORY ((size_t)64 << 10) /* headers and one read; more headers are 431 */
#define MOST_CONNECTIONS  10000U
#define MOST_ROUNDS       1000 /* of a drain: whoever sends for ever does not hold it up */
#define IDLE_SECONDS                                                                               \
    120U /* then a connection that says nothing makes room; a request that waits                   \
            is not idle */

/* --- the event loop --------------------------------------------------------------------------- */

static void pump(void *context);

/* libmicrohttpd may have more to do without any descriptor saying so: it tells when. */
static void run_daemon(struct server *server)
{
    MHD_UNSIGNED_LONG_LONG ms;
    MHD_run(server->daemon);
    loop_timer_stop(server->timer);
    server->timer = NULL;
    if (MHD_get_timeout(server->daemon, &ms) == MHD_YES)
        server->timer =
            loop_after(server->core->loop, ms > INT_MAX ? INT_MAX : (int64_t)ms, pump, server);
}

static void pump(void *context)
{
    struct server *server = context;
    server->timer = NULL;
    run_daemon(server);
}

static void readable(void *context, int events)
{
    (void)events;
    run_daemon(context);
}

void http_call_suspend(struct call *call)
{
    CHECK(!call->suspended);
    call->suspended = true;
    MHD_suspend_connection(call->connection);
}

/* The library takes a resumed connection up again in its next run and tells nobody that it wants
 * one: its epoll descriptor stays silent. */
void http_call_wake(struct call *call)
{
    struct server *server = call->server;
    if (!call->suspended)
        return;
    call->suspended = false;
    MHD_resume_connection(call->connection);
    loop_timer_stop(server->timer);
    server->timer = loop_after(server->core->loop, 0, pump, server);
}

struct line *http_call_line(struct call *call)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context;
}

static void decided(void *transport, struct exchange *x)
{
    struct call *call = transport;
    call->x = x;
    call->decided = true;
    http_call_wake(call);
}

static void replaced(void *transport, struct exchange *now)
{
    struct call *call = transport;
    call->x = now;
}

/* --- a request comes in ----------------------------------------------------------------------- */

/* The library leaves white space behind a value in place; it is no part of it (RFC 9110, 5.5). */
static enum MHD_Result add_header(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    size_t length = value == NULL ? 0 : strlen(value);
    (void)kind;
    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t'))
        length--;
    char *trimmed = mem_strndup(value, length);
    request_add_header(context, name, trimmed);
    free(trimmed);
    return MHD_YES;
}

static const struct sockaddr *peer_of(struct call *call)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

static void complete(struct call *call, const char *method)
{
    struct line *line = http_call_line(call);
    struct request *request = &call->request;
    char *question = strchr(call->target, '?');
    request->method = mem_strdup(method);
    request->query = question == NULL ? NULL : mem_strdup(question + 1);
    request->path = mem_strndup(call->target, question == NULL ? strlen(call->target)
                                                               : (size_t)(question - call->target));
    MHD_get_connection_values(call->connection, MHD_HEADER_KIND, add_header, request);
    request->connection = line->number;
    request->on_connection = ++line->requests;
    request->peer_port = peer_port(peer_of(call));
}

/* An answer that no exchange has made. REPLY is released. */
static enum MHD_Result answer_alone(struct call *call, struct reply *reply)
{
    reply_header(reply, "Content-Type", "application/json");
    enum MHD_Result result = ending_send_reply(call, reply);
    reply_release(reply);
    return result;
}

static enum MHD_Result refuse(struct call *call, int status, const char *message)
{
    struct reply reply = {0};
    reply_error(&reply, (struct api_error){.status = status, .message = message});
    return answer_alone(call, &reply);
}

static bool is_local(struct call *call)
{
    return peer_is_local(peer_of(call));
}

static enum MHD_Result serve_control(struct call *call)
{
    struct reply reply = {0};
    control_handle(call->server->control, &call->request, is_local(call), &reply);
    return answer_alone(call, &reply);
}

static enum MHD_Result serve(struct call *call, const char *method)
{
    if (call->too_large)
        return refuse(call, 413, "The request body is larger than 1 MiB.");
    complete(call, method);
    bool control = control_owns(call->request.path);
    if (control ? !call->server->options.serves_control : !call->server->options.serves_api)
        return refuse(call, 404, "Not served on this port."); /* what is not let in is not there */
    if (control)
        return serve_control(call);
    call->x = exchange_new(call->server->core, &call->request, decided, call);
    call->x->replaced = replaced;
    http_call_line(call)->current = call;
    pipeline_start(call->x);
    if (call->decided)
        return ending_carry_out(call);
    http_call_suspend(call);
    return MHD_YES;
}

static void take_body(struct call *call, const char *data, size_t *size)
{
    if (call->request.body.len + *size > SERVER_LARGEST_BODY)
        call->too_large = true;
    if (!call->too_large)
        buf_add(&call->request.body, data, *size);
    *size = 0;
}

/* Called with the headers, with each piece of the body, when all is there, after every resume. The
 * parameters are the library's choice. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    struct call *call = *state;
    (void)context;
    (void)url;
    (void)version;
    if (!call->headers_seen) {
        call->headers_seen = true;
        call->connection = connection;
        return MHD_YES; /* a response queued here would close the connection */
    }
    if (*size > 0) {
        take_body(call, data, size);
        return MHD_YES;
    }
    if (call->closing)
        return MHD_NO;
    if (call->x == NULL)
        return serve(call, method);
    return ending_carry_out(call);
}

/* --- requests and connections, beginning and end ---------------------------------------------- */

/* The first that is heard of a request: its target, before any decoding. */
static void *begin(void *context, const char *target, struct MHD_Connection *connection)
{
    struct server *server = context;
    struct call *call = mem_alloc(sizeof *call);
    call->server = server;
    call->connection = connection;
    call->target = mem_strdup(target);
    call->next = server->calls;
    if (call->next != NULL)
        call->next->previous = call;
    server->calls = call;
    return call;
}

static void leave(struct call *call)
{
    if (call->next != NULL)
        call->next->previous = call->previous;
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        call->server->calls = call->next;
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    struct call *call = *state;
    (void)context;
    (void)connection;
    if (call == NULL)
        return;
    *state = NULL;
    http_call_line(call)->hanging = NULL;
    http_call_line(call)->current = NULL;
    loop_timer_stop(call->timer);
    if (call->x != NULL && call->closing)
        exchange_free(call->x);
    else if (call->x != NULL)
        pipeline_finish(call->x, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    leave(call);
    request_release(&call->request);
    free(call->target);
    free(call);
}

/* The library looks at a descriptor when that changes, and stops reading when it has got less than
 * it could take: a client whose last bytes and FIN come together would never be seen to go.
 * Shutting the reading side, which has nothing more to give, is a change that makes it look. */
static void client_went(void *context, int events)
{
    struct line *line = context;
    (void)events;
    loop_watch_stop(line->watch);
    line->watch = NULL;
    if (line->hanging != NULL)
        http_call_wake(line->hanging);
    else
        shutdown(line->fd, SHUT_RD);
    if (line->current != NULL) {
        ending_client_gone(line->current);
        pipeline_client_gone(line->current->x);
    }
}

static void connection_changed(void *context, struct MHD_Connection *connection, void **line,
                               enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct line *started = mem_alloc(sizeof *started);
        started->number = ++server->connections;
        started->fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        started->watch =
            loop_watch(server->core->loop, started->fd, LOOP_GONE, client_went, started);
        *line = started;
        acceptor_joined(&server->acceptor);
    } else {
        loop_watch_stop(((struct line *)*line)->watch);
        free(*line);
        *line = NULL;
        acceptor_left(&server->acceptor);
    }
}

/* On failure the library closes FD: the client sees an end. */
static void take_connection(void *context, int fd, const struct sockaddr *from, socklen_t length)
{
    struct server *server = context;
    if (MHD_add_connection(server->daemon, fd, from, length) != MHD_YES)
        log_warn("cannot take a connection up: %s", strerror(errno));
}

/* Paths are compared as sent: decoding is nobody's business here. */
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

/* The library's option rows hold plain pointers; it only reads. */
static void *discard_const(const char *text)
{
    return (void *)(uintptr_t)text;
}

/* The options that only a door with TLS has; the list ends with a row of MHD_OPTION_END. */
static struct MHD_Daemon *start_daemon(struct server *server)
{
    const struct server_options *options = &server->options;
    bool tls = options->tls_cert != NULL;
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem with_tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, discard_const(options->tls_cert)},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, discard_const(options->tls_key)},
        {MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME |
                     (tls ? MHD_USE_TLS : 0U);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_URI_LOG_CALLBACK, begin, server,
        MHD_OPTION_NOTIFY_COMPLETED, completed, server, MHD_OPTION_NOTIFY_CONNECTION,
        connection_changed, server, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
        IDLE_SECONDS, MHD_OPTION_CONNECTION_LIMIT, MOST_CONNECTIONS, MHD_OPTION_ARRAY,
        tls ? with_tls : plain, MHD_OPTION_END);
}

enum err server_start(struct server **server, struct core *core, struct control *control,
                      const struct server_options *options, struct err_text *why)
{
    struct server *started = mem_alloc(sizeof *started);
    started->core = core;
    started->control = control;
    started->options = *options;
    started->daemon = start_daemon(started);
    if (started->daemon == NULL) {
        free(started);
        *server = NULL;
        return err_say(why, ERR_IO, "cannot start the HTTP server: %s",
                       options->tls_cert == NULL ? "too few file descriptors?"
                                                 : "is --tls-key the key of --tls-cert, both PEM?");
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(started->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    started->watch = loop_watch(core->loop, info->epoll_fd, LOOP_READABLE, readable, started);
    started->acceptor = (struct acceptor){.loop = core->loop,
                                          .path = options->path,
                                          .take = take_connection,
                                          .context = started,
                                          .most = MOST_CONNECTIONS};
    acceptor_start(&started->acceptor, options->listen_fd);
    *server = started;
    return ERR_OK;
}

/* Something that came is not handled yet: in the kernel, or read already. */
static bool holds_more(struct server *server)
{
    MHD_UNSIGNED_LONG_LONG ms;
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd ready = {.fd = info->epoll_fd, .events = POLLIN};
    return poll(&ready, 1, 0) > 0 || (MHD_get_timeout(server->daemon, &ms) == MHD_YES && ms == 0);
}

void server_drain(struct server *server)
{
    for (int i = 0; i < MOST_ROUNDS; i++) {
        bool more = acceptor_take_waiting(&server->acceptor);
        if (!more && !holds_more(server))
            return;
        run_daemon(server);
    }
}

void server_refuse(struct server *server, int64_t ms)
{
    if (server->options.serves_api)
        acceptor_refuse(&server->acceptor, ms);
}

void server_listen(struct server *server)
{
    acceptor_listen(&server->acceptor);
}

void server_stop(struct server *server)
{
    if (server == NULL)
        return;
    for (struct call *call = server->calls; call != NULL; call = call->next) {
        call->closing = true;
        http_call_wake(call);
    }
    acceptor_stop(&server->acceptor);
    loop_watch_stop(server->watch);
    loop_timer_stop(server->timer);
    MHD_stop_daemon(server->daemon);
    CHECK(server->calls == NULL);
    free(server);
}
