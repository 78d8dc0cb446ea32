#include "canonical.h"

#include "mem.h"
#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MADE_WITH_DIGIT 8
#define MADE_WITH_CASES 16

/* --- the words of a text --------------------------------------------------------------------- */

static bool is_word(char character)
{
    return isalnum((unsigned char)character) || strchr("-_.+~", character) != NULL;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0' && is_word(text[length]))
        length++;
    return length;
}

/* Does TEXT go on like PATTERN, where 0 stands for a digit? */
static bool fits(const char *text, const char *pattern)
{
    for (; *pattern != '\0'; text++, pattern++)
        if (*pattern == '0' ? !isdigit((unsigned char)*text) : *text != *pattern)
            return false;
    return true;
}

/* How long the moment is that TEXT begins with, or 0: an ISO 8601 date, with a time of day or
 * without, or a Unix time (of this century) in s, ms, us or ns. */
static size_t moment_length(const char *text)
{
    if (fits(text, "0000-00-00"))
        return 10 + strspn(text + 10, "T0123456789:.+-Z");
    size_t digits = strspn(text, "0123456789");
    bool any = (digits == 10 || digits == 13 || digits == 16 || digits == 19) && text[0] < '3';
    return any ? digits + strspn(text + digits, ".0123456789") : 0;
}

static bool looks_made(const char *word)
{
    size_t length = strlen(word);
    bool digit = false;
    bool capital = false;
    bool small = false;
    for (const char *at = word; *at != '\0'; at++) {
        digit = digit || isdigit((unsigned char)*at);
        capital = capital || isupper((unsigned char)*at);
        small = small || islower((unsigned char)*at);
    }
    return (digit && length >= MADE_WITH_DIGIT) || (capital && small && length >= MADE_WITH_CASES);
}

static void add_word(struct names *names, char *word, struct buf *out)
{
    const char *name = names_find(names, word);
    if (name == NULL)
        name = looks_made(word) ? names_give(names, "made", word) : word;
    buf_add_string(out, name);
    free(word);
}

/* What a client wrote: whole, it may be a key; else it is looked through word by word. */
static struct json *scrubbed(struct names *names, const char *text)
{
    struct buf out = {0};
    const char *whole = names_find(names, text);
    if (whole != NULL)
        return json_string(whole);
    while (*text != '\0') {
        size_t moment = moment_length(text);
        size_t word = word_length(text);
        if (moment > 0 && moment >= word) {
            buf_add_string(&out, "time");
            text += moment;
        } else if (word > 0) {
            add_word(names, mem_strndup(text, word), &out);
            text += word;
        } else {
            buf_add_char(&out, *text++);
        }
    }
    struct json *json = json_string(buf_string(&out));
    buf_release(&out);
    return json;
}

/* --- the data of an event -------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* Ports, pids, times. */
static bool is_left_out(enum event_kind kind, const char *name)
{
    return (kind == EVENT_UP && strcmp(name, "port") == 0) ||
           (kind == EVENT_START && strcmp(name, "pid") == 0) ||
           (kind == EVENT_CLOCK && strcmp(name, "now") == 0);
}

static bool is_clients(enum event_kind kind, const char *name)
{
    static const char *const of_invoke[] = {"path", "order", NULL};
    static const char *const of_claim[] = {"payment", NULL};
    static const char *const of_done[] = {"effect", "event", NULL};
    return (kind == EVENT_INVOKE && is_one_of(name, of_invoke)) ||
           (kind == EVENT_CLAIM && is_one_of(name, of_claim)) ||
           (kind == EVENT_DONE && is_one_of(name, of_done));
}

static struct json *params(struct names *names, const struct json *given)
{
    struct json *object = json_object();
    for (const struct json *one = json_first(given); one != NULL; one = json_next(one)) {
        const char *text = json_as_string(one);
        json_set(object, json_name(one), text == NULL ? json_copy(one) : scrubbed(names, text));
    }
    return object;
}

static struct json *value(struct names *names, enum event_kind kind, const struct json *given)
{
    const char *name = json_name(given);
    const char *text = json_as_string(given);
    if (kind == EVENT_INVOKE && strcmp(name, "params") == 0)
        return params(names, given);
    if (text == NULL)
        return json_copy(given);
    if (kind == EVENT_INVOKE && (strcmp(name, "key") == 0 || strcmp(name, "fingerprint") == 0))
        return json_string(names_give(names, name, text));
    if (is_clients(kind, name))
        return scrubbed(names, text);
    names_know(names, text);
    return json_copy(given);
}

static void print_event(struct names *names, const struct event *event, struct buf *out)
{
    struct json *data = json_object();
    for (const struct json *one = json_first(event->data); one != NULL; one = json_next(one))
        if (!is_left_out(event->kind, json_name(one)))
            json_set(data, json_name(one), value(names, event->kind, one));
    struct json *json = json_object();
    json_set_string(json, "kind", event_name(event->kind));
    if (event->request != 0)
        json_set_int(json, "request", (int64_t)event->request);
    json_maybe_string(json, "order", event->order);
    json_set(json, "data", data);
    char *line = json_print(json);
    buf_add_string(out, line);
    buf_add_char(out, '\n');
    free(line);
    json_free(json);
}

/* --- their order ----------------------------------------------------------------------------- */

struct place {
    const struct event *event;
    size_t stretch; /* how many events that concern everybody came before */
    size_t rank;    /* of its order: 1 for the one that came first, 0 without one */
};

static size_t rank_of(const struct event **firsts, size_t *count, const struct event *event)
{
    if (event->order == NULL)
        return 0;
    size_t i = 0;
    while (i < *count && strcmp(firsts[i]->order, event->order) != 0)
        i++;
    if (i == *count)
        firsts[(*count)++] = event;
    return i + 1;
}

static int by_place(const void *one, const void *other)
{
    const struct place *a = one;
    const struct place *b = other;
    if (a->stretch != b->stretch)
        return a->stretch < b->stretch ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->event->seq < b->event->seq ? -1 : 1;
}

/* An event that concerns everybody is the first of its stretch. */
static struct place *places_of(const struct history *history)
{
    struct place *places = mem_alloc(history->count * sizeof *places);
    const struct event **firsts = mem_alloc(history->count * sizeof *firsts);
    size_t orders = 0;
    size_t stretch = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct event *event = &history->events[i];
        stretch += event->order == NULL && event->kind != EVENT_OUTPUT;
        places[i] = (struct place){event, stretch, rank_of(firsts, &orders, event)};
    }
    free(firsts);
    qsort(places, history->count, sizeof *places, by_place);
    return places;
}

void canonical_print(const struct history *history, struct buf *out)
{
    struct names names = {0};
    struct place *places = places_of(history);
    for (size_t i = 0; i < history->count; i++) {
        const struct event *event = places[i].event;
        if (event->order != NULL)
            names_know(&names, event->order);
        if (event->kind != EVENT_OUTPUT)
            print_event(&names, event, out);
    }
    free(places);
    names_release(&names);
}
