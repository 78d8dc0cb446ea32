/* What `faults` in a script may be, as a fault source: a list of rules, each perhaps with a
 * function `when(req)`; or one function of the request, asked at every failpoint. */
#ifndef LUAFAULTS_H
#define LUAFAULTS_H

#include "draws.h"
#include "fault_source.h"
#include "luahost.h"

#include <stdbool.h>

struct luafaults;

/* A source without faults. */
struct luafaults *luafaults_new(struct luahost *host, bool knows_clients, struct draws draws);
void luafaults_free(struct luafaults *faults); /* before its host; NULL is fine */

/* In a body: reads the list or function at INDEX. LINE is where to point when nothing better is
 * known. Raises a Lua error that names the line and the remedy. */
void luafaults_read(struct luafaults *faults, struct lua_State *lua, int index, int line);

/* See script_faults, script_error, script_describe and script_unstruck. */
struct fault_source luafaults_source(struct luafaults *faults);
const char *luafaults_error(const struct luafaults *faults);
enum err luafaults_describe(const struct luafaults *faults, size_t n, struct err_text *text);
enum err luafaults_unstruck(const struct luafaults *faults, size_t n, struct err_text *text);

#endif
