#include "fetch.h"

#include "buf.h"
#include "check.h"
#include "mem.h"
#include "transfer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct fetch {
    struct transfers *transfers;
    struct transfer transfer;
    struct curl_slist *lines;
    struct buf body;
    struct json *headers;
    fetch_over *told;
    void *context;
    char error[CURL_ERROR_SIZE];
};

static void over(void *context, CURLcode result)
{
    struct fetch *fetch = context;
    long status = 0;
    curl_easy_getinfo(fetch->transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    struct fetch_answer answer = {.body = "", .headers = fetch->headers};
    if (result == CURLE_OK) {
        answer.status = (int)status;
        answer.body = buf_string(&fetch->body);
        answer.length = fetch->body.len;
    } else {
        answer.error = fetch->error[0] == '\0' ? curl_easy_strerror(result) : fetch->error;
    }
    fetch->told(fetch->context, &answer);
}

static size_t body_came(char *data, size_t size, size_t count, void *context)
{
    struct fetch *fetch = context;
    if (fetch->body.len + size * count > FETCH_MOST_BYTES)
        return 0;
    buf_add(&fetch->body, data, size * count);
    return size * count;
}

static size_t header_came(char *data, size_t size, size_t count, void *context)
{
    struct fetch *fetch = context;
    size_t length = size * count;
    const char *colon = memchr(data, ':', length);
    if (colon == NULL)
        return length;
    char *name = mem_strndup(data, (size_t)(colon - data));
    char *value = mem_strndup(colon + 1, length - (size_t)(colon + 1 - data));
    for (char *at = name; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    char *end = value + strlen(value);
    while (end > value && isspace((unsigned char)end[-1]))
        *--end = '\0';
    json_set_string(fetch->headers, name, value + strspn(value, " \t"));
    free(name);
    free(value);
    return length;
}

static struct fetch *make(struct transfers *transfers, const char *url, int64_t timeout_ms,
                          fetch_over *told, void *context)
{
    struct fetch *fetch = mem_alloc(sizeof *fetch);
    CURL *easy = curl_easy_init();
    CHECK(easy != NULL);
    *fetch = (struct fetch){.transfers = transfers,
                            .transfer = {.easy = easy, .over = over, .context = fetch},
                            .headers = json_object(),
                            .told = told,
                            .context = context};
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, fetch->error);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    /* A service that was killed leaves connections that nobody answers. */
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "psp-harness/" MOCKPSP_VERSION);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_came);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, fetch);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header_came);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, fetch);
    return fetch;
}

static void add_line(struct fetch *fetch, const char *line)
{
    struct curl_slist *longer = curl_slist_append(fetch->lines, line);
    CHECK(longer != NULL);
    fetch->lines = longer;
}

struct fetch *fetch_start(struct transfers *transfers, const struct fetch_request *request,
                          fetch_over *told, void *context)
{
    struct fetch *fetch = make(transfers, request->url, request->timeout_ms, told, context);
    CURL *easy = fetch->transfer.easy;
    for (char *const *header = request->headers; header != NULL && *header != NULL; header++)
        add_line(fetch, *header);
    add_line(fetch, "Expect:"); /* no waiting for 100 Continue */
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fetch->lines);
    if (request->body != NULL) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    transfer_start(transfers, &fetch->transfer);
    return fetch;
}

struct fetch *fetch_connect(struct transfers *transfers, const char *url, int64_t timeout_ms,
                            fetch_over *told, void *context)
{
    struct fetch *fetch = make(transfers, url, timeout_ms, told, context);
    curl_easy_setopt(fetch->transfer.easy, CURLOPT_CONNECT_ONLY, 1L);
    transfer_start(transfers, &fetch->transfer);
    return fetch;
}

void fetch_free(struct fetch *fetch)
{
    if (fetch == NULL)
        return;
    transfer_stop(fetch->transfers, &fetch->transfer);
    curl_easy_cleanup(fetch->transfer.easy);
    curl_slist_free_all(fetch->lines);
    buf_release(&fetch->body);
    json_free(fetch->headers);
    free(fetch);
}
