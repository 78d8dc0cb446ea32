#include "post.h"

#include "check.h"
#include "mem.h"
#include "webhook_url.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 10000L

/* How long the body of an answer may go on: it is read only so that the connection can be used
 * again and an honest receiver sees no reset. */
#define BODY_MS 1000

struct poster {
    struct loop *loop;
    CURLM *multi;
    struct loop_timer *timer; /* libcurl's own */
};

/* A socket of libcurl's that is watched. */
struct wire {
    struct poster *poster;
    curl_socket_t fd;
    struct loop_watch *watch;
};

struct post {
    struct poster *poster;
    CURL *easy;
    struct curl_slist *headers;
    char *body;
    bool answered;           /* status line and headers are there */
    struct loop_timer *tail; /* ends the body */
    post_over *over;
    void *context;
    char error[CURL_ERROR_SIZE];
};

/* --- libcurl and the loop --------------------------------------------------------------------- */

static int status_of(const struct post *post)
{
    long status = 0;
    curl_easy_getinfo(post->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

/* The callback of the post that is over frees it, and may start others. */
static void tell_of_ends(struct poster *poster)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(poster->multi, &left)) != NULL) {
        struct post *post = NULL;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &post);
        const char *words = post->error[0] == '\0' ? curl_easy_strerror(result) : post->error;
        if (result == CURLE_OK || post->answered)
            post->over(post->context, status_of(post), NULL);
        else
            post->over(post->context, 0, words);
    }
}

static void act(struct poster *poster, curl_socket_t fd, int events)
{
    int running;
    CHECK(curl_multi_socket_action(poster->multi, fd, events, &running) == CURLM_OK);
    tell_of_ends(poster);
}

static void wire_ready(void *context, int events)
{
    struct wire *wire = context;
    int curl_events = 0;
    if (events & LOOP_READABLE)
        curl_events |= CURL_CSELECT_IN;
    if (events & LOOP_WRITABLE)
        curl_events |= CURL_CSELECT_OUT;
    act(wire->poster, wire->fd, curl_events); /* may end the wire */
}

static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *socket_context)
{
    struct poster *poster = context;
    struct wire *wire = socket_context;
    (void)easy;
    if (wire == NULL) {
        wire = mem_alloc(sizeof *wire);
        wire->poster = poster;
        wire->fd = fd;
        CHECK(curl_multi_assign(poster->multi, fd, wire) == CURLM_OK);
    }
    loop_watch_stop(wire->watch);
    wire->watch = NULL;
    if (what == CURL_POLL_REMOVE) {
        free(wire);
        return 0;
    }
    int events =
        (what & CURL_POLL_IN ? LOOP_READABLE : 0) | (what & CURL_POLL_OUT ? LOOP_WRITABLE : 0);
    wire->watch = loop_watch(poster->loop, fd, events, wire_ready, wire);
    return 0;
}

static void timer_due(void *context)
{
    struct poster *poster = context;
    poster->timer = NULL;
    act(poster, CURL_SOCKET_TIMEOUT, 0);
}

/* The callback's type is the library's. NOLINTNEXTLINE(google-runtime-int) */
static int set_timer(CURLM *multi, long ms, void *context)
{
    struct poster *poster = context;
    (void)multi;
    loop_timer_stop(poster->timer);
    poster->timer = ms < 0 ? NULL : loop_after(poster->loop, ms, timer_due, poster);
    return 0;
}

struct poster *poster_new(struct loop *loop)
{
    struct poster *poster = mem_alloc(sizeof *poster);
    poster->loop = loop;
    CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    poster->multi = curl_multi_init();
    CHECK(poster->multi != NULL);
    curl_multi_setopt(poster->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(poster->multi, CURLMOPT_SOCKETDATA, poster);
    curl_multi_setopt(poster->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(poster->multi, CURLMOPT_TIMERDATA, poster);
    return poster;
}

void poster_free(struct poster *poster)
{
    if (poster == NULL)
        return;
    curl_multi_cleanup(poster->multi);
    loop_timer_stop(poster->timer);
    curl_global_cleanup();
    free(poster);
}

/* --- one post --------------------------------------------------------------------------------- */

static void body_late(void *context)
{
    struct post *post = context;
    post->tail = NULL;
    post->over(post->context, status_of(post), NULL); /* frees it */
}

/* An empty line ends the headers: of the answer, or of a 1xx before it. */
static size_t see_header(char *data, size_t size, size_t count, void *context)
{
    struct post *post = context;
    bool last = size * count > 0 && (data[0] == '\r' || data[0] == '\n');
    if (last && !post->answered && status_of(post) >= 200) {
        post->answered = true;
        post->tail = loop_after(post->poster->loop, BODY_MS, body_late, post);
    }
    return size * count;
}

/* What the receiver says beside its status is of no interest. */
static size_t throw_away(char *data, size_t size, size_t count, void *context)
{
    (void)data;
    (void)context;
    return size * count;
}

static void add_header(struct post *post, const char *name, const char *value)
{
    char *line = mem_printf("%s: %s", name, value);
    struct curl_slist *longer = curl_slist_append(post->headers, line);
    CHECK(longer != NULL);
    post->headers = longer;
    free(line);
}

static void set_up(struct post *post, const char *url)
{
    CURL *easy = post->easy;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, post);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, post->headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(post->body));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, post->body);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, see_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, post);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, throw_away);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, post->error);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, TIMEOUT_MS);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "mockpsp/" MOCKPSP_VERSION " (webhooks)");
    if (webhook_url_is_loopback(url)) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

struct post *post_start(struct poster *poster, const char *url, const char *signature, char *body,
                        post_over *over, void *context)
{
    struct post *post = mem_alloc(sizeof *post);
    *post = (struct post){
        .poster = poster, .easy = curl_easy_init(), .body = body, .over = over, .context = context};
    CHECK(post->easy != NULL);
    add_header(post, "Content-Type", "application/json; charset=utf-8");
    add_header(post, "Cache-Control", "no-cache");
    add_header(post, "Stripe-Signature", signature);
    add_header(post, "Expect", ""); /* no waiting for 100 Continue */
    set_up(post, url);
    CHECK(curl_multi_add_handle(poster->multi, post->easy) == CURLM_OK);
    return post;
}

void post_free(struct post *post)
{
    if (post == NULL)
        return;
    loop_timer_stop(post->tail);
    curl_multi_remove_handle(post->poster->multi, post->easy);
    curl_easy_cleanup(post->easy);
    curl_slist_free_all(post->headers);
    free(post->body);
    free(post);
}
