#include "judge_source.h"

#include "buf.h"
#include "json.h"
#include "mem.h"

#include <curl/curl.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)
#define TIMEOUT_S  60L

/* --- what was read ---------------------------------------------------------------------------- */

/* Seqs go up; those of other accounts may be missing in between. */
static enum err add_event(const struct json *json, uint64_t *last, struct history *events,
                          struct err_text *why)
{
    struct event event;
    if (event_from_json(json, &event) != ERR_OK)
        return err_say(why, ERR_INVALID, "it is no event of a journal");
    if (event.seq <= *last) {
        if (event.seq == 0)
            err_say(why, ERR_INVALID,
                    "it has no seq: what run --history writes is to be compared; take the "
                    "history.jsonl of its box (run --keep)");
        else
            err_say(why, ERR_INVALID, "seq %" PRIu64 " comes after seq %" PRIu64, event.seq, *last);
        event_release(&event);
        return ERR_INVALID;
    }
    *last = event.seq;
    history_add(events, event);
    return ERR_OK;
}

static enum err add_entries(const struct json *document, uint64_t *last, struct history *events,
                            struct err_text *why)
{
    const struct json *entries = json_get(document, "entries");
    if (!json_is_array(entries))
        return err_say(why, ERR_INVALID, "it is no answer of /_mock/journal: it has no entries");
    for (const struct json *one = json_first(entries); one != NULL; one = json_next(one)) {
        struct err_text inner = {0};
        if (add_event(one, last, events, &inner) != ERR_OK)
            return err_say(why, ERR_INVALID, "entry %zu: %s", events->count + 1, inner.text);
    }
    return ERR_OK;
}

static enum err read_lines(const char *text, struct history *events, struct err_text *why)
{
    uint64_t last = 0;
    for (size_t number = 1; *text != '\0'; number++) {
        struct json *json = NULL;
        struct err_text inner = {0};
        size_t length = strcspn(text, "\n");
        bool whole = text[length] == '\n';
        if (json_parse(text, length, &json, &inner) != ERR_OK)
            return err_say(why, ERR_INVALID, "line %zu %s", number,
                           whole ? "is no JSON: is this a journal?"
                                 : "is cut off in the middle: copy the journal again, once its "
                                   "provider or harness has ended");
        enum err err = add_event(json, &last, events, &inner);
        json_free(json);
        if (err != ERR_OK)
            return err_say(why, err, "line %zu: %s", number, inner.text);
        text += length + whole;
    }
    return ERR_OK;
}

static enum err read_document(const struct json *json, struct history *events, struct err_text *why)
{
    uint64_t last = 0;
    if (!json_get_bool(json, "complete", true))
        return err_say(why, ERR_INVALID,
                       "it is the first page of a longer journal: give the URL instead, or fetch "
                       "the rest with after=%" PRId64,
                       json_get_int(json, "last", 0));
    return add_entries(json, &last, events, why);
}

static enum err read_text(const struct buf *text, struct history *events, struct err_text *why)
{
    struct json *json = NULL;
    enum err err;
    bool document = json_parse(buf_string(text), text->len, &json, NULL) == ERR_OK &&
                    json_get(json, "entries") != NULL;
    if (text->len == 0)
        err = err_say(why, ERR_INVALID, "it is empty");
    else if (document)
        err = read_document(json, events, why);
    else
        err = read_lines(buf_string(text), events, why);
    json_free(json);
    return err;
}

/* What happened to a request that never came happened before this journal begins. */
static enum err check_beginning(const struct history *events, struct err_text *why)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->events[i];
        const struct event *invoke = history_invoke(events, event->request);
        if (event->request == 0 || (invoke != NULL && invoke->seq <= event->seq))
            continue;
        return err_say(why, ERR_INVALID,
                       "it begins in the middle: request %" PRIu64 " had come before it",
                       event->request);
    }
    return ERR_OK;
}

/* --- a file ----------------------------------------------------------------------------------- */

static enum err read_file(const char *name, struct buf *text, struct err_text *why)
{
    char part[1 << 16];
    size_t length;
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    if (file == NULL)
        return err_say(why, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open it: %s",
                       strerror(errno));
    while ((length = fread(part, 1, sizeof part, file)) > 0 && text->len < MOST_BYTES)
        buf_add(text, part, length);
    enum err err =
        ferror(file) != 0 ? err_say(why, ERR_IO, "cannot read it: %s", strerror(errno)) : ERR_OK;
    if (file != stdin)
        fclose(file);
    return err;
}

/* --- a provider that runs ----------------------------------------------------------------------
 */

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
    struct buf *text = context;
    if (text->len > MOST_BYTES)
        return 0;
    buf_add(text, bytes, size * count);
    return size * count;
}

static struct curl_slist *headers_of(const struct judge_source *source)
{
    struct curl_slist *headers = NULL;
    char *line =
        mem_printf("Authorization: Bearer %s", source->api_key == NULL ? "" : source->api_key);
    if (source->api_key != NULL)
        headers = curl_slist_append(headers, line);
    free(line);
    line = mem_printf("X-Mock-Token: %s", source->token == NULL ? "" : source->token);
    if (source->token != NULL)
        headers = curl_slist_append(headers, line);
    free(line);
    return headers;
}

static enum err get(const struct judge_source *source, const char *url, struct buf *text,
                    struct err_text *why)
{
    long status = 0;
    CURL *curl = curl_easy_init();
    if (curl == NULL)
        return err_say(why, ERR_IO, "libcurl has no memory");
    struct curl_slist *headers = headers_of(source);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, text);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK)
        return err_say(why, ERR_IO, "%s: is mockpsp there?", curl_easy_strerror(code));
    if (status != 200)
        return err_say(why, ERR_IO, "it answers %ld%s", status,
                       status == 403 || status == 401
                           ? ": its control plane wants --token"
                           : ": is that a mockpsp, with its control plane on this port?");
    return ERR_OK;
}

/* http://127.0.0.1:12111 -> http://127.0.0.1:12111/_mock/journal */
static char *journal_url(const char *name, uint64_t after)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == '/')
        length--;
    const char *path = strstr(name, "/_mock/journal") == NULL ? "/_mock/journal" : "";
    return mem_printf("%.*s%s?after=%" PRIu64, (int)length, name, path, after);
}

static enum err read_page(const struct judge_source *source, uint64_t *last, bool *complete,
                          struct history *events, struct err_text *why)
{
    struct buf text = {0};
    struct json *json = NULL;
    char *url = journal_url(source->name, *last);
    enum err err = get(source, url, &text, why);
    if (err == ERR_OK && json_parse(buf_string(&text), text.len, &json, NULL) != ERR_OK)
        err = err_say(why, ERR_INVALID, "it answers with what is no JSON");
    if (err == ERR_OK) {
        *complete = json_get_bool(json, "complete", true);
        err = add_entries(json, last, events, why);
    }
    json_free(json);
    buf_release(&text);
    free(url);
    return err;
}

static enum err read_url(const struct judge_source *source, struct history *events,
                         struct err_text *why)
{
    uint64_t last = 0;
    bool complete = false;
    enum err err = ERR_OK;
    while (err == ERR_OK && !complete)
        err = read_page(source, &last, &complete, events, why);
    return err;
}

enum err judge_source_read(const struct judge_source *source, struct history *events,
                           struct err_text *why)
{
    struct err_text inner = {0};
    struct buf text = {0};
    enum err err;
    *events = (struct history){0};
    if (strncmp(source->name, "http://", 7) == 0 || strncmp(source->name, "https://", 8) == 0)
        err = read_url(source, events, &inner);
    else if ((err = read_file(source->name, &text, &inner)) == ERR_OK)
        err = read_text(&text, events, &inner);
    buf_release(&text);
    if (err == ERR_OK)
        err = check_beginning(events, &inner);
    if (err == ERR_OK)
        return ERR_OK;
    history_release(events);
    return err_say(why, err, "%s: %s", source->name, inner.text);
}
