/* A job that pays one order once, with libcurl, whatever happens to it.
 *
 * 1. Its key is on the disk before the first byte is sent, so every later run sends the same one.
 * 2. No answer is an answer of its own: unknown. The same key is tried again, and after a few times
 *    the job says 75, "run me again". Unknown is never "failed".
 * 3. A run that finds an unfinished record asks the provider before it pays: a key lives for a day,
 *    a record for ever. */
#include "psp_call.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define TRIES        4
#define EXIT_UNKNOWN 75

struct job {
    const char *order;
    char file[4096];
    cJSON *record; /* attempt, state ("pending", "paid", "failed"), payment */
    bool doubt;    /* something was sent, and nobody knows what became of it */
    bool ask_first;
    bool key_is_spent; /* it answers with a stored 500, as long as it lives */
    long retry_after;  /* seconds */
};

static _Noreturn void give_up(const char *what)
{
    perror(what); /* not status 1: that would say "failed and not paid" */
    exit(EXIT_UNKNOWN);
}

/* --- the record: what this job knows ---------------------------------------------------------- */

static int attempt(const struct job *job)
{
    return (int)cJSON_GetNumberValue(cJSON_GetObjectItem(job->record, "attempt"));
}

static bool is_pending(const struct job *job)
{
    return strcmp(psp_string(job->record, "state"), "pending") == 0;
}

/* All or nothing, and there after a power cut: new file, flush, rename, flush the folder. */
static void keep(struct job *job, int number, const char *state, const char *payment)
{
    char draft[sizeof job->file + 4];
    cJSON *record = cJSON_CreateObject();
    cJSON_AddNumberToObject(record, "attempt", number);
    cJSON_AddStringToObject(record, "state", state);
    cJSON_AddStringToObject(record, "payment", payment);
    char *text = cJSON_PrintUnformatted(record);

    snprintf(draft, sizeof draft, "%s.new", job->file);
    FILE *out = fopen(draft, "w");
    int folder = open(psp_env("STATE_DIR"), O_RDONLY | O_DIRECTORY);
    if (out == NULL || fputs(text, out) < 0 || fflush(out) != 0 || fsync(fileno(out)) != 0 ||
        fclose(out) != 0 || rename(draft, job->file) != 0 || folder < 0 || fsync(folder) != 0)
        give_up(job->file);
    close(folder);
    cJSON_free(text);
    cJSON_Delete(job->record);
    job->record = record;
}

static void job_open(struct job *job)
{
    char text[1024] = "";
    *job = (struct job){.order = psp_env("ORDER_ID")};
    snprintf(job->file, sizeof job->file, "%s/%s.json", psp_env("STATE_DIR"), job->order);
    FILE *in = fopen(job->file, "r");
    if (in == NULL) {
        keep(job, 1, "pending", "");
        return;
    }
    if (fread(text, 1, sizeof text - 1, in) == 0 || (job->record = cJSON_Parse(text)) == NULL)
        give_up(job->file);
    fclose(in);
    job->doubt = job->ask_first = true;
}

/* --- what the provider says ------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words != NULL && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static bool is_ours(const struct job *job, const cJSON *payment)
{
    static const char *const money_moves[] = {"succeeded", "processing", "requires_capture", NULL};
    const cJSON *metadata = cJSON_GetObjectItem(payment, "metadata");
    return strcmp(psp_string(metadata, "order_id"), job->order) == 0 &&
           is_one_of(psp_string(payment, "status"), money_moves);
}

/* All pages; a big shop narrows them with `created` or `customer`. Not the search: that lags
 * behind, and would show nothing over a charge that stands. The payment found lies in PAGE; NULL
 * with a status of 200: there is none. */
static const cJSON *find(const struct job *job, struct psp_reply *page)
{
    char after[128] = "";
    for (;;) {
        psp_list(after, page);
        const cJSON *payment = NULL, *last = NULL;
        const cJSON *data = cJSON_GetObjectItem(page->body, "data");
        if (page->status != 200 || !cJSON_IsArray(data)) {
            page->status = page->status == 200 ? 0 : page->status; /* no list is not "none" */
            return NULL;
        }
        cJSON_ArrayForEach(payment, data)
        {
            if (is_ours(job, payment))
                return payment;
            last = payment;
        }
        if (last == NULL || !cJSON_IsTrue(cJSON_GetObjectItem(page->body, "has_more")))
            return NULL;
        snprintf(after, sizeof after, "%s", psp_string(last, "id"));
        psp_reply_release(page);
    }
}

static void judge(struct job *job, const cJSON *payment)
{
    static const char *const needs_customer[] = {"requires_payment_method", "requires_action",
                                                 "canceled", NULL};
    const char *status = psp_string(payment, "status");
    if (strcmp(status, "succeeded") == 0)
        keep(job, attempt(job), "paid", psp_string(payment, "id"));
    else if (is_one_of(status, needs_customer)) /* and nobody is here */
        keep(job, attempt(job), "failed", psp_string(payment, "id"));
    else /* not final yet, or no word that this job knows */
        job->doubt = job->ask_first = true;
}

static void judge_error(struct job *job, const struct psp_reply *reply)
{
    const cJSON *error = cJSON_GetObjectItem(reply->body, "error");
    const char *type = psp_string(error, "type");
    bool refused = (reply->status == 400 || reply->status == 401) &&
                   strcmp(type, "invalid_request_error") == 0;
    job->retry_after = reply->retry_after;
    if (reply->status == 402 && strcmp(type, "card_error") == 0) {
        keep(job, attempt(job), "failed",
             psp_string(cJSON_GetObjectItem(error, "payment_intent"), "id"));
    } else if (refused && !job->doubt) { /* on a retry it would say nothing of the first try */
        keep(job, attempt(job), "failed", "");
    } else {
        job->key_is_spent = reply->replayed && reply->status >= 500;
        job->ask_first = job->ask_first || job->key_is_spent;
        job->doubt = true;
    }
}

/* --- the job ---------------------------------------------------------------------------------- */

static void pay(const struct job *job, struct psp_reply *reply)
{
    char key[300];
    /* Derived, not random: two runs of this job, even at once, cannot make two keys. */
    snprintf(key, sizeof key, "%s-attempt-%d", job->order, attempt(job));
    psp_pay(key, job->order, reply);
}

static void step(struct job *job)
{
    struct psp_reply reply = {0};
    const cJSON *payment = job->ask_first ? find(job, &reply) : NULL;
    if (payment == NULL && (!job->ask_first || reply.status == 200)) {
        psp_reply_release(&reply);
        /* The key has said its last word and there is no payment: now a new key is safe. */
        if (job->key_is_spent)
            keep(job, attempt(job) + 1, "pending", "");
        job->ask_first = job->key_is_spent = false;
        pay(job, &reply);
        payment = reply.status == 200 ? reply.body : NULL;
    }
    if (payment != NULL)
        judge(job, payment);
    else
        judge_error(job, &reply);
    psp_reply_release(&reply);
}

static void backoff(int tries, long retry_after)
{
    unsigned char dice = 0;
    long ms = 100L << tries;
    if (getrandom(&dice, sizeof dice, 0) == sizeof dice)
        ms = ms / 2 + ms / 2 * dice / 255;
    if (retry_after > 0)
        ms = retry_after < 2 ? 1000 : 2000;
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static int report(const struct job *job)
{
    const char *state = psp_string(job->record, "state");
    bool paid = strcmp(state, "paid") == 0;
    cJSON *line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "order", job->order);
    cJSON_AddStringToObject(line, "outcome",
                            paid ? "succeeded" : (is_pending(job) ? "unknown" : "failed"));
    if (*psp_string(job->record, "payment") != '\0')
        cJSON_AddStringToObject(line, "payment", psp_string(job->record, "payment"));
    char *text = cJSON_PrintUnformatted(line);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(line);
    return paid ? 0 : (is_pending(job) ? EXIT_UNKNOWN : 1);
}

int main(void)
{
    struct job job;
    job_open(&job);
    for (int tries = 0; is_pending(&job) && tries < TRIES; tries++) {
        if (tries > 0)
            backoff(tries, job.retry_after);
        step(&job);
    }
    int status = report(&job);
    cJSON_Delete(job.record);
    return status;
}
