# Does tidy.cmake catch what it says it catches?
#
#   cmake -D SCRATCH=DIR -P tests/tidy_selftest.cmake
#
# Builds a small good tree in DIR, of which tidy must have nothing to say, then puts one bad file
# after the other into it: each must give exactly the one finding that is expected of it.
cmake_minimum_required(VERSION 3.25)

set(TIDY ${CMAKE_CURRENT_LIST_DIR}/tidy.cmake)
set_property(GLOBAL PROPERTY FAILURES 0)

function(run_tidy status output)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${SCRATCH} -P ${TIDY}
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${status} ${result} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(failure text)
  get_property(count GLOBAL PROPERTY FAILURES)
  math(EXPR count "${count} + 1")
  set_property(GLOBAL PROPERTY FAILURES ${count})
  message("${text}")
endfunction()

# The file PATH with CONTENT must be found wanting at LINE by RULE, and in nothing else.
function(must_catch rule path line content)
  file(WRITE ${SCRATCH}/${path} "${content}")
  run_tidy(status output)
  file(REMOVE ${SCRATCH}/${path})
  string(REGEX MATCHALL "[^\n]+:[0-9]+: \\[[a-z-]+\\]" findings "${output}")
  if(status EQUAL 0 OR NOT findings STREQUAL "${path}:${line}: [${rule}]")
    failure("[${rule}] ${path}: expected one finding in line ${line}, tidy said:\n${output}")
  endif()
endfunction()

function(must_pass path content)
  file(WRITE ${SCRATCH}/${path} "${content}")
  run_tidy(status output)
  file(REMOVE ${SCRATCH}/${path})
  if(NOT status EQUAL 0)
    failure("${path} is fine, tidy said:\n${output}")
  endif()
endfunction()

function(repeat count text out)
  string(REPEAT "${text}" ${count} result)
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# --- a small good tree ----------------------------------------------------------------------------

file(REMOVE_RECURSE ${SCRATCH})
file(WRITE ${SCRATCH}/README.md "A house.\n")
file(WRITE ${SCRATCH}/.ci/run "#!/bin/sh\n")
file(WRITE ${SCRATCH}/build/anything.c "\t\n")
file(WRITE ${SCRATCH}/scenarios/clients/node_modules/dep/bad.js "\t\n")
file(WRITE ${SCRATCH}/mockpsp/base/room.h "#ifndef ROOM_H\n#define ROOM_H\n\nint room_size(void);\n\n#endif\n")
file(WRITE ${SCRATCH}/mockpsp/base/room.c "#include \"room.h\"\n\n#include <stdlib.h>\n\nint room_size(void)\n{\n    return 4;\n}\n")
file(WRITE ${SCRATCH}/scenarios/clients/free.c "#include <curl/curl.h>\nint main(void)\n{\n    return system(\"true\");\n}\n")
run_tidy(status output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the good tree is found wanting:\n${output}")
endif()

# --- any text -------------------------------------------------------------------------------------

must_catch(final-newline mockpsp/a.txt 1 "no end")
must_catch(blanks mockpsp/a.txt 2 "fine\nnot fine \n")
must_catch(blanks mockpsp/a.txt 3 "\n\n\tint\n")
foreach(word "TO" "FIX" "XX" "HA")
  string(REPLACE "TO" "DO" rest "${word}")
  string(REPLACE "FIX" "ME" rest "${rest}")
  string(REPLACE "XX" "X" rest "${rest}")
  string(REPLACE "HA" "CK" rest "${rest}")
  must_catch(work-word tests/a.sh 2 "#!/bin/sh\n# ${word}${rest}: later\n")
endforeach()
must_pass(tests/a.sh "mktemp -d psp.XXXXXX\n# a HACKER, a to-do list\n")
set(home "/ho")
string(APPEND home "me/me")
must_catch(machine-path tests/a.sh 1 "ls ${home}\n")
must_catch(layout notes.txt 1 "a new thing at the top\n")
must_catch(unique-name mockpsp/store/room.h 1 "#ifndef ROOM_H\n#define ROOM_H\n#endif\n")
must_catch(scenario-name scenarios/drop.lua 1 "return {}\n")
must_pass(scenarios/b10_drop.lua "return {}\n")
must_pass(scenarios/r_issue_7.lua "return {}\n")
must_pass(scenarios/lib/helper.lua "return {}\n")
must_pass(mockpsp/store/CMakeLists.txt "# as every folder has\n")
must_pass(mockpsp/store/README.md "as some have\n")
must_catch(lock-file scenarios/clients/package-lock.json 1 "{\"resolved\": \"https://somewhere\"}\n")

# --- budgets --------------------------------------------------------------------------------------

repeat(500 "int x(void)|" lines)
string(REPLACE "|" "\;\n" lines "${lines}")
must_pass(mockpsp/base/long.c "${lines}")
must_catch(file-budget mockpsp/base/long.c 501 "${lines}\n")
must_catch(file-budget tests/long.py 501 "${lines}\n")
must_catch(file-budget tests/long.cmake 501 "${lines}\n")
repeat(117 "int x(void)|" lines)
string(REPLACE "|" "\;\n" lines "${lines}")
must_pass(mockpsp/base/long.h "#ifndef LONG_H\n#define LONG_H\n${lines}#endif\n")
must_catch(file-budget mockpsp/base/long.h 121 "#ifndef LONG_H\n#define LONG_H\n${lines}\n#endif\n")

repeat(70 "    x++|" lines)
string(REPLACE "|" "\;\n" lines "${lines}")
must_pass(mockpsp/base/long.c "\nint f(int x)\n{\n${lines}}\n")
must_catch(function-budget mockpsp/base/long.c 3 "\nint f(int x)\n{\n${lines}\n}\n")

repeat(100 "x" columns)
must_pass(mockpsp/base/wide.c "${columns}\n")
must_catch(columns mockpsp/base/wide.c 2 "\n${columns}x\n")
must_catch(columns scenarios/a00_wide.lua 1 "${columns}x\n")
repeat(100 "…" columns)
must_pass(mockpsp/base/wide.c "${columns}\n")
must_catch(columns mockpsp/base/wide.c 1 "${columns}…\n")

set(four "int f(int x)\n{\n    if (x)\n        for (\;\;)\n            while (x)\n                switch (x)\n")
must_pass(mockpsp/base/deep.c "${four}                x++\;\n}\n")
must_catch(nesting mockpsp/base/deep.c 7 "${four}                    if (x)\n}\n")
must_catch(nesting mockpsp/base/deep.c 7 "${four}                    } else if (x) {\n}\n")

# --- C --------------------------------------------------------------------------------------------

must_catch(typedef mockpsp/base/a.c 2 "\ntypedef struct room room_t\;\n")
must_pass(mockpsp/base/a.c "typedef void loop_due(void *context)\;\n")
must_catch(guard mockpsp/base/a.h 1 "#pragma once\n")
must_catch(guard mockpsp/base/a.h 1 "#ifndef B_H\n#define B_H\n#endif\n")
must_catch(include mockpsp/base/a.c 2 "\n#include \"base/room.h\"\n")
file(WRITE ${SCRATCH}/mockpsp/base/own.h "#ifndef OWN_H\n#define OWN_H\n#endif\n")
must_catch(include mockpsp/base/own.c 1 "#include \"room.h\"\n#include \"own.h\"\n")
must_pass(mockpsp/base/own.c "#include \"own.h\"\n#include \"room.h\"\n")
must_pass(mockpsp/base/own.c "#include \"own_internal.h\"\n#include \"room.h\"\n")

must_catch(waist mockpsp/api/a.c 1 "#include <sqlite3.h>\n")
must_catch(waist mockpsp/api/a.c 1 "#include <microhttpd.h>\n")
must_catch(waist mockpsp/wire/a.c 1 "#include <lua.h>\n")
must_catch(waist harness/world/a.c 1 "#include <lauxlib.h>\n")
must_catch(waist mockpsp/base/a.c 1 "#include <cjson/cJSON.h>\n")
must_catch(waist mockpsp/http/a.c 1 "#include <uv.h>\n")
must_catch(waist mockpsp/api/a.c 1 "#include <nettle/hmac.h>\n")
must_catch(waist harness/proc/a.c 1 "#include <curl/curl.h>\n")
must_catch(waist mockpsp/base/a.c 1 "#include <pthread.h>\n")
must_catch(waist mockpsp/base/a.c 1 "#include <openssl/ssl.h>\n")
must_pass(mockpsp/store/a.c "#include <sqlite3.h>\n")
must_pass(mockpsp/http/a.c "#include <microhttpd.h>\n")
must_pass(mockpsp/script/a.c "#include <lua.h>\n")
must_pass(mockpsp/base/json.c "#include <cjson/cJSON.h>\n")
must_pass(mockpsp/keys/a.c "#include <nettle/sha2.h>\n#include <sys/socket.h>\n")

foreach(call "time(NULL)" "rand()" "srand(1)" "sleep(1)" "usleep(1)" "malloc(1)" "calloc(1, 1)"
    "realloc(p, 2)" "strdup(p)" "strtok(p, q)" "sprintf(p, q)" "strcpy(p, q)" "strcat(p, q)"
    "gets(p)" "system(p)" "popen(p, q)" "atoi(p)" "assert(p)" "clock_gettime(c, t)" "gmtime(t)")
  must_catch(banned harness/world/a.c 3 "\n/* say */\n    x = ${call}\;\n")
endforeach()
must_catch(banned mockpsp/base/clock.c 1 "t = time(NULL)\;\n")
must_catch(banned mockpsp/base/a.c 1 "p = malloc(1)\;\n")
must_catch(banned tests/unit/a.c 1 "sleep(1)\;\n")
must_catch(banned mockpsp/api/a.c 3 "/* two\n * lines */\nmalloc(\"/* \", x)\; /* \" */\n")
must_catch(banned mockpsp/api/a.c 1 "f(\"POST /v1/*\", '\"', \"\\\"\", rand())\;\n")
must_pass(mockpsp/base/clock.c "clock_gettime(CLOCK_MONOTONIC, &now)\;\n")
must_pass(mockpsp/base/mem.c "p = malloc(1)\;\n")
must_pass(mockpsp/api/a.c "/* time (of day), rand() and\n * malloc() */\nsay(\"time(NULL)\")\;\n")
must_pass(mockpsp/api/a.c "mem_strdup(p)\;\nrun_time(1)\;\nself->time(p)\;\nops.sleep(1)\;\n")

get_property(COUNT GLOBAL PROPERTY FAILURES)
if(COUNT GREATER 0)
  message(FATAL_ERROR "tidy_selftest: ${COUNT} failures")
endif()
