/* The laboratory: it answers what becomes of a plan, by playing it or from what it remembers.
 *
 * Everything else in exploration is a pure function of its answers. So an exploration that was
 * interrupted goes on from its memory, and shards are merged by putting their memories together. */
#ifndef LAB_H
#define LAB_H

#include "err.h"
#include "trial.h"
#include "world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab;

/* How many processes were started for the client, and for how long they ran, all of them together:
 * the rest of the time is ours. */
struct lab_clients {
    int64_t runs;
    int64_t us;
};

struct lab_options {
    const struct world_options *world; /* NULL: there is no client, only memory; lives on */
    bool strict;
    int workers;
    int64_t deadline_us; /* of clock_monotonic_us; 0: none */
    size_t most;         /* plays so many and no more; 0: as many as are asked for */
    /* TRIAL is all that was wanted: no other is begun before lab_allow, which forgets this
     * question. NULL: there is no such trial. */
    bool (*enough)(void *context, const struct trial *trial);
    /* One trial more is known. */
    void (*changed)(void *context);
    void *context;
};

/* ERR_IO with a sentence when it finds no place for its scenarios. */
enum err lab_open(const struct lab_options *options, struct lab **lab,
                  struct err_text *why) MUST_CHECK;
void lab_close(struct lab *lab); /* NULL is fine */

/* Remembers in FILE from here on, one line of JSON per trial, and knows what is in there. SETUP, an
 * object that is taken over, says what a trial depends on beside its plan: a file with another one
 * is refused (ERR_INVALID). AGAIN: begin with what is there; else it is emptied. A last line that
 * was cut off is left out. */
enum err lab_remember(struct lab *lab, const char *file, struct json *setup, bool again,
                      struct err_text *why) MUST_CHECK;

/* Adds what is in FILE, of whatever setup, to what it knows; *SETUP is the caller's. */
enum err lab_recall(struct lab *lab, const char *file, struct json **setup,
                    struct err_text *why) MUST_CHECK;

/* The answers to COUNT questions, in their order: answers[i] is borrowed from LAB, NULL when there
 * was no time for it. Every one is remembered. */
void lab_ask(struct lab *lab, const struct trial_question *questions, size_t count,
             const struct trial **answers);

/* Other limits than those that it was opened with. */
void lab_allow(struct lab *lab, int64_t deadline_us, size_t most);

size_t lab_played(const struct lab *lab);              /* how many trials were played */
struct lab_clients lab_clients(const struct lab *lab); /* in them */
size_t lab_running(const struct lab *lab);             /* asked for now and not answered yet */
bool lab_is_out_of_time(struct lab *lab);
int lab_signal(const struct lab *lab);          /* SIGINT or SIGTERM that ended it early, or 0 */
bool lab_left_strays(const struct lab *lab);    /* somebody of a client may still run */
const char *lab_trouble(const struct lab *lab); /* its memory cannot be written: why; or NULL */

#endif
