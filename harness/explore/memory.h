/* What a laboratory remembers: trials by their questions, in memory and in a file.
 *
 *   {"setup":{…}}
 *   {"plan":{…},"orders":1,"turn":0,"trial":{…}}
 *   … */
#ifndef MEMORY_H
#define MEMORY_H

#include "err.h"
#include "json.h"
#include "trial.h"

#include <stdbool.h>

struct memory;

struct memory *memory_new(void);
void memory_free(struct memory *memory); /* NULL is fine */

/* See lab_remember and lab_recall. */
enum err memory_keep(struct memory *memory, const char *file, struct json *setup, bool again,
                     struct err_text *why) MUST_CHECK;
enum err memory_read(struct memory *memory, const char *file, struct json **setup,
                     struct err_text *why) MUST_CHECK;

/* NULL: nobody knows. Borrowed for as long as MEMORY. */
const struct trial *memory_find(const struct memory *memory, const struct trial_question *question);

/* Takes TRIAL over, and writes it down. */
void memory_add(struct memory *memory, const struct trial_question *question, struct trial trial);

/* Something kept it from doing its work; the first counts. */
void memory_trouble(struct memory *memory, const char *why);
const char *memory_error(const struct memory *memory); /* NULL: nothing did */

#endif
