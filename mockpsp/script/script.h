/* A Lua file as a source of faults: `mockpsp --faults FILE.lua`, and the faults of a scenario.
 *
 * The file ends with `return scenario { title = …, orders = …, faults = …, dialect = …, run = … }`.
 * Here it is loaded and checked, and its faults are served. Playing `run` is the harness's
 * business. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "dialect.h"
#include "err.h"
#include "fault_source.h"
#include "queue_policy.h"
#include "record.h"
#include "whose_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct script;
struct luahost;
struct lua_State;

struct script_options {
    uint64_t seed;               /* of math.random, and of what its faults draw */
    bool knows_clients;          /* somebody is there who can crash and pause them */
    const struct record *record; /* what `history` shows, lives on; NULL: nothing happens */
};

#define SCRIPT_MOST_ORDERS 1000

/* Runs FILE and checks what it returns. ERR_NOT_FOUND and ERR_IO speak of the file itself,
 * ERR_SCRIPT of what is in it: "file:line: what and remedy" in WHY, and a traceback when code was
 * running. */
enum err script_load(const char *file, const struct script_options *options, struct script **script,
                     struct err_text *why) MUST_CHECK;
void script_free(struct script *script); /* NULL is fine */

const char *script_file(const struct script *script);

/* The files that it was made of, from 0, but for FILE itself; NULL after the last. */
const char *script_part(const struct script *script, size_t n);

const char *script_title(const struct script *script); /* NULL when it has none */
int script_orders(const struct script *script);        /* 0 when it leaves that open */
bool script_effects(const struct script *script);
enum whose_clock script_clock(const struct script *script);
const struct queue_policy *script_queue(const struct script *script); /* it may say nothing */
const struct dialect *script_dialect(const struct script *script);    /* NULL when it names none */

/* Its faults, valid as long as SCRIPT. When the script fails while it is asked, nothing happens to
 * that request, the error is logged, and script_error() remembers the first. */
struct fault_source script_faults(struct script *script);
const char *script_error(const struct script *script); /* NULL while all is well */

/* A sentence for the N-th declared fault (from 0), into TEXT; ERR_END when there are no more. */
enum err script_describe(const struct script *script, size_t n, struct err_text *text);

/* A sentence for the N-th declared fault (from 0) that has not struck yet, into TEXT; ERR_END when
 * there are no more. */
enum err script_unstruck(const struct script *script, size_t n, struct err_text *text);

/* For whoever plays `run`: the state, and a push of the function (nil when there is none) for use
 * in a body of luahost_run. */
struct luahost *script_host(struct script *script);
void script_push_run(const struct script *script, struct lua_State *lua);

#endif
