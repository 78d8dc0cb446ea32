#include "post.h"

#include "check.h"
#include "mem.h"
#include "transfer.h"
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
    struct transfers *transfers;
};

struct post {
    struct poster *poster;
    struct transfer transfer;
    struct curl_slist *headers;
    char *body;
    bool answered;           /* status line and headers are there */
    struct loop_timer *tail; /* ends the body */
    post_over *over;
    void *context;
    char error[CURL_ERROR_SIZE];
};

static int status_of(const struct post *post)
{
    long status = 0;
    curl_easy_getinfo(post->transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

/* Frees the post. */
static void ended(void *context, CURLcode result)
{
    struct post *post = context;
    const char *words = post->error[0] == '\0' ? curl_easy_strerror(result) : post->error;
    if (result == CURLE_OK || post->answered)
        post->over(post->context, status_of(post), NULL);
    else
        post->over(post->context, 0, words);
}

struct poster *poster_new(struct loop *loop)
{
    struct poster *poster = mem_alloc(sizeof *poster);
    poster->loop = loop;
    poster->transfers = transfers_new(loop);
    return poster;
}

void poster_free(struct poster *poster)
{
    if (poster == NULL)
        return;
    transfers_free(poster->transfers);
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
    CURL *easy = post->transfer.easy;
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
    *post = (struct post){.poster = poster, .body = body, .over = over, .context = context};
    post->transfer = (struct transfer){.easy = curl_easy_init(), .over = ended, .context = post};
    CHECK(post->transfer.easy != NULL);
    add_header(post, "Content-Type", "application/json; charset=utf-8");
    add_header(post, "Cache-Control", "no-cache");
    add_header(post, "Stripe-Signature", signature);
    add_header(post, "Expect", ""); /* no waiting for 100 Continue */
    set_up(post, url);
    transfer_start(poster->transfers, &post->transfer);
    return post;
}

void post_free(struct post *post)
{
    if (post == NULL)
        return;
    loop_timer_stop(post->tail);
    transfer_stop(post->poster->transfers, &post->transfer);
    curl_easy_cleanup(post->transfer.easy);
    curl_slist_free_all(post->headers);
    free(post->body);
    free(post);
}
