# The style of this house, held by a test so that nobody has to remember it.
#
#   cmake [-D ROOT=DIR] -P tests/tidy.cmake
#
# Prints one line per finding, "file:line: [rule] what, and what to do", and fails when there is any.
# What a compiler can see better than a pattern (parameters, unused results, dangerous calls) is in
# .clang-tidy; what both can see is here as well, for this one needs no compiler. Every rule has bad
# input of its own in tidy_selftest.cmake: a rule that has never failed has never been tested.
cmake_minimum_required(VERSION 3.25)

if(NOT ROOT)
  get_filename_component(ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
endif()

# --- the rules, as data ---------------------------------------------------------------------------

set(TOP_LEVEL mockpsp harness scenarios tests CMakeLists.txt CMakePresets.json README.md LICENSE
  CHANGELOG.md)

set(MOST_FILE_LINES 500)
set(MOST_HEADER_LINES 120)
set(MOST_FUNCTION_LINES 70)
set(MOST_COLUMNS 100)
set(NESTED_TOO_DEEP "                    ") # a control statement this far in is the fifth level

# Words that promise work instead of doing it; taken apart, for this file is read like any other.
set(WORK_WORDS "(TO" "DO|FIX" "ME|XX" "X|HA" "CK)")
list(JOIN WORK_WORDS "" WORK_WORDS)

# A third-party header, and where it may be included: the waist behind which it stays.
set(WAISTS
  "sqlite3\\.h=^mockpsp/store/|^tests/unit/test_store"
  "microhttpd\\.h=^(mockpsp/http|tests/bench)/"
  "(lua|lualib|lauxlib|luaconf)\\.h=^(mockpsp/(lua|script)|harness/(client|scenario))/|^tests/unit/test_lua"
  "cjson/.*=^mockpsp/base/json\\.c$"
  "expat\\.h=^mockpsp/base/xml\\.c$"
  "uv\\.h=^mockpsp/base/loop\\.c$"
  "nettle/.*=^mockpsp/(base/crypto\\.c$|keys/|webhooks/)"
  "curl/.*=^mockpsp/(transfer|webhooks)/|^harness/(client|judge)/"
  "criterion/.*=^tests/(unit|support)/"
  "(pthread|threads)\\.h=^tests/") # the programs have one thread each

# What comes with the compiler and the kernel may be included anywhere.
set(SYSTEM_HEADERS assert ctype dirent dlfcn errno execinfo fcntl fnmatch ftw getopt glob grp inttypes
  libgen limits locale math netdb poll pwd regex sched setjmp signal spawn stdarg stdbool stddef stdint
  stdio stdlib string strings syscall termios time unistd wchar)
list(JOIN SYSTEM_HEADERS "|" SYSTEM_HEADERS)
set(SYSTEM_HEADERS "^((${SYSTEM_HEADERS})|(sys|arpa|net|netinet|linux)/[a-z0-9_]+)\\.h$")

# A call, where it may stand, and what to write instead. "^$" is nowhere.
set(BANNED
  "time=^$=clock_now_s() of the provider's clock, or clock_monotonic_us()"
  "clock_gettime=^mockpsp/base/clock\\.c$=clock_now_ms() or clock_monotonic_us()"
  "gettimeofday=^$=clock_now_ms()"
  "localtime|gmtime|ctime|asctime=^$=clock_now_ms() and arithmetic on it"
  "rand|srand|random|srandom|drand48|rand_r|getrandom|arc4random=^$=rng_next() with a seed"
  "sleep|usleep|nanosleep|clock_nanosleep=^$=loop_after(); nothing ever sleeps"
  "malloc|calloc=^mockpsp/base/mem\\.c$=mem_alloc()"
  "realloc|reallocarray=^mockpsp/base/mem\\.c$=mem_resize()"
  "strdup|strndup|strdupa=^mockpsp/base/mem\\.c$=mem_strdup() or mem_strndup()"
  "asprintf|vasprintf=^mockpsp/base/mem\\.c$=mem_printf()"
  "alloca=^$=mem_alloc()"
  "sprintf|vsprintf=^$=snprintf() or buf_addf()"
  "strcpy|stpcpy|strncpy|strcat|strncat=^$=struct buf, or memcpy() with a length"
  "gets=^$=fgets() or getline()"
  "atoi|atol|atoll|atof=^$=strtoll() with its end pointer looked at"
  "strtok|strtok_r=^$=strcspn() or memchr()"
  "system|popen=^$=the harness's proc layer: no shell in between"
  "assert=^$=CHECK(), which stays in release builds"
  "tmpnam|tempnam|mktemp=^$=mkstemp() or mkdtemp()")

# Example clients are complete programs to be read alone: they include and call what they need. So does
# what is preloaded into clients.
set(FREE_OF_WAISTS "^(scenarios/clients|harness/clock)/")

# --- findings -------------------------------------------------------------------------------------

set_property(GLOBAL PROPERTY TIDY_COUNT 0)

function(finding path line rule text)
  get_property(count GLOBAL PROPERTY TIDY_COUNT)
  math(EXPR count "${count} + 1")
  set_property(GLOBAL PROPERTY TIDY_COUNT ${count})
  message("${path}:${line}: [${rule}] ${text}")
endfunction()

# --- reading --------------------------------------------------------------------------------------

# CMake's lists choke on these four in a line; each stands for itself under a control character.
string(ASCII 1 SEMICOLON)
string(ASCII 2 OPEN_BRACKET)
string(ASCII 3 CLOSE_BRACKET)
string(ASCII 4 BACKSLASH)

function(read_lines path out)
  file(READ ${ROOT}/${path} text)
  string(REPLACE ";" "${SEMICOLON}" text "${text}")
  string(REPLACE "[" "${OPEN_BRACKET}" text "${text}")
  string(REPLACE "]" "${CLOSE_BRACKET}" text "${text}")
  string(REPLACE "\\" "${BACKSLASH}" text "${text}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Columns, not bytes: what follows the first byte of a UTF-8 character does not count.
function(columns line out)
  string(LENGTH "${line}" length)
  if(length GREATER MOST_COLUMNS)
    string(HEX "${line}" hex)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\1 " hex "${hex}")
    string(REGEX REPLACE "[89ab][0-9a-f] " "" hex "${hex}")
    string(LENGTH "${hex}" length)
    math(EXPR length "${length} / 3")
  endif()
  set(${out} ${length} PARENT_SCOPE)
endfunction()

# The code of a line: no strings, no comments. IN_COMMENT of the caller goes from line to line.
function(code_of line out)
  if(in_comment)
    if(NOT line MATCHES "\\*/")
      set(${out} "" PARENT_SCOPE)
      return()
    endif()
    string(REGEX REPLACE "^([^*]|\\*+[^*/])*\\*+/" "" line "${line}")
  endif()
  string(REGEX REPLACE "'${BACKSLASH}?\"'" "' '" line "${line}")
  string(REGEX REPLACE "\"([^\"${BACKSLASH}]|${BACKSLASH}.)*\"" "\"\"" line "${line}")
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" " " line "${line}")
  string(REGEX REPLACE "//.*$" "" line "${line}")
  set(open FALSE)
  if(line MATCHES "/\\*")
    set(open TRUE)
    string(REGEX REPLACE "/\\*.*$" "" line "${line}")
  endif()
  set(in_comment ${open} PARENT_SCOPE)
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# --- any text -------------------------------------------------------------------------------------

function(check_text path lines)
  file(READ ${ROOT}/${path} text)
  if(NOT text MATCHES "\n$" AND NOT text STREQUAL "")
    finding(${path} 1 "final-newline" "the last line has no end")
  endif()
  if(NOT text MATCHES "[ \t]\n|\t|(^|[^A-Za-z])${WORK_WORDS}([^A-Za-z]|$)|/(home|root|Users)/")
    return()
  endif()
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "[ \t]$")
      finding(${path} ${number} "blanks" "white space at the end of the line")
    elseif(line MATCHES "\t")
      finding(${path} ${number} "blanks" "a tab: indent with spaces, write a tab in text as \\t")
    endif()
    if(line MATCHES "(^|[^A-Za-z])(${WORK_WORDS})([^A-Za-z]|$)")
      finding(${path} ${number} "work-word" "${CMAKE_MATCH_2}: do it now, or open an issue")
    endif()
    if(line MATCHES "/(home|root|Users)/[A-Za-z0-9_.]")
      finding(${path} ${number} "machine-path" "/${CMAKE_MATCH_1}/…: a path of one machine")
    endif()
  endforeach()
endfunction()

function(check_budget path lines)
  list(LENGTH lines length)
  set(most ${MOST_FILE_LINES})
  if(path MATCHES "\\.h$")
    set(most ${MOST_HEADER_LINES})
  endif()
  if(length GREATER most)
    finding(${path} ${length} "file-budget" "${length} lines, at most ${most}: split it by nouns")
  endif()
endfunction()

function(check_columns path lines)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    columns("${line}" width)
    if(width GREATER MOST_COLUMNS)
      finding(${path} ${number} "columns" "${width} columns, at most ${MOST_COLUMNS}")
    endif()
  endforeach()
endfunction()

# --- C --------------------------------------------------------------------------------------------

function(check_angle_include path number header)
  if(header MATCHES "${SYSTEM_HEADERS}" OR path MATCHES "${FREE_OF_WAISTS}")
    return()
  endif()
  foreach(waist IN LISTS WAISTS)
    string(REGEX MATCH "^(.*)=(.*)$" _ "${waist}")
    set(where "${CMAKE_MATCH_2}")
    if(header MATCHES "^${CMAKE_MATCH_1}$")
      if(NOT path MATCHES "${where}")
        finding(${path} ${number} "waist" "<${header}> may only be included in ${where}")
      endif()
      return()
    endif()
  endforeach()
  finding(${path} ${number} "waist"
    "<${header}> is not known: say in tests/tidy.cmake where it may be included")
endfunction()

function(check_includes path lines)
  set(number 0)
  set(first TRUE)
  string(REGEX REPLACE "\\.c$" ".h" own "${path}")
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(NOT line MATCHES "^#[ ]*include[ ]+([<\"])([^>\"]+)[>\"]")
      continue()
    endif()
    set(quote "${CMAKE_MATCH_1}")
    set(header "${CMAKE_MATCH_2}")
    if(quote STREQUAL "<")
      check_angle_include(${path} ${number} "${header}")
    elseif(header MATCHES "/")
      finding(${path} ${number} "include" "\"${header}\": names are unique, leave the folder out")
    endif()
    get_filename_component(own_name "${own}" NAME)
    string(REPLACE "_internal.h" ".h" public "${header}") # which includes the public one
    if(first AND path MATCHES "\\.c$" AND EXISTS "${ROOT}/${own}"
       AND NOT public STREQUAL own_name)
      finding(${path} ${number} "include" "\"${own_name}\" comes first: it must compile alone")
    endif()
    set(first FALSE)
  endforeach()
endfunction()

function(check_guard path lines)
  get_filename_component(name "${path}" NAME)
  string(TOUPPER "${name}" guard)
  string(REGEX REPLACE "[^A-Z0-9]" "_" guard "${guard}")
  if(NOT lines MATCHES "(^|;)#ifndef ${guard};#define ${guard}(;|$)")
    finding(${path} 1 "guard" "the guard is #ifndef ${guard}, #define ${guard}")
  endif()
endfunction()

# A function begins with a brace of its own at the margin and ends with one: clang-format sees to it.
function(check_functions path lines)
  set(number 0)
  set(start 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line STREQUAL "{")
      set(start ${number})
    elseif(start AND line STREQUAL "}")
      math(EXPR length "${number} - ${start} - 1")
      if(length GREATER MOST_FUNCTION_LINES)
        finding(${path} ${start} "function-budget"
          "a function of ${length} lines, at most ${MOST_FUNCTION_LINES}: name its steps")
      endif()
      set(start 0)
    elseif(start AND line MATCHES "^${NESTED_TOO_DEEP} *(\\} *else +)?(if|for|while|do|switch) *[({]")
      finding(${path} ${number} "nesting" "five levels deep, at most four: make it a function")
    elseif(line MATCHES "^typedef +(struct|union|enum)")
      finding(${path} ${number} "typedef" "write the tag: struct foo, not a new name for it")
    endif()
  endforeach()
endfunction()

set(ALL_BANNED "")
foreach(entry IN LISTS BANNED)
  string(REGEX REPLACE "=.*" "" names "${entry}")
  list(APPEND ALL_BANNED "${names}")
endforeach()
list(JOIN ALL_BANNED "|" ALL_BANNED)

function(check_banned_call path number name)
  foreach(entry IN LISTS BANNED)
    string(REGEX MATCH "^([^=]*)=([^=]*)=(.*)$" _ "${entry}")
    set(names "${CMAKE_MATCH_1}")
    set(where "${CMAKE_MATCH_2}")
    set(instead "${CMAKE_MATCH_3}")
    if(name MATCHES "^(${names})$" AND NOT path MATCHES "${where}")
      finding(${path} ${number} "banned" "${name}(): use ${instead}")
    endif()
  endforeach()
endfunction()

function(check_banned path lines)
  if(path MATCHES "${FREE_OF_WAISTS}" OR NOT lines MATCHES "(^|[^A-Za-z0-9_])(${ALL_BANNED}) ?\\(")
    return()
  endif()
  set(number 0)
  set(in_comment FALSE)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    code_of("${line}" code)
    # The first in a line is enough: it has to go before the line is clean.
    if(code MATCHES "(^|[^A-Za-z0-9_.>])(${ALL_BANNED}) ?\\(")
      check_banned_call(${path} ${number} ${CMAKE_MATCH_2})
    endif()
  endforeach()
endfunction()

# --- the tree -------------------------------------------------------------------------------------

function(check_layout)
  file(GLOB entries RELATIVE ${ROOT} ${ROOT}/*)
  foreach(entry IN LISTS entries)
    if(NOT entry MATCHES "^(\\.|build)" AND NOT entry IN_LIST TOP_LEVEL)
      finding(${entry} 1 "layout" "nothing new at the top level: it belongs into a folder")
    endif()
  endforeach()
endfunction()

function(check_names files)
  set(seen "")
  foreach(path IN LISTS files)
    get_filename_component(name "${path}" NAME)
    if(path MATCHES "^scenarios/[^/]*\\.lua$" AND NOT name MATCHES "^([a-z][0-9][0-9]|r)_[a-z0-9_]+\\.lua$")
      finding(${path} 1 "scenario-name"
        "a letter for the area and two digits, so that the order tells the story; r_ for regressions")
    endif()
    if(name MATCHES "^(CMakeLists\\.txt|README\\.md|package(-lock)?\\.json|main\\.c|\\..*|run(\\.sh)?)$")
      continue()
    endif()
    if(name IN_LIST seen)
      finding(${path} 1 "unique-name" "${name} exists twice in the tree: one name, one thing")
    endif()
    list(APPEND seen "${name}")
  endforeach()
endfunction()

function(check_lock_file path)
  file(READ ${ROOT}/${path} text)
  if(text MATCHES "\"resolved\"")
    finding(${path} 1 "lock-file"
      "names a registry: write it with npm's omit-lockfile-registry-resolved")
  endif()
endfunction()

function(check_file path)
  read_lines(${path} lines)
  check_text(${path} "${lines}")
  if(path MATCHES "package-lock\\.json$")
    check_lock_file(${path})
    return()
  endif()
  if(path MATCHES "(\\.(c|h|lua|sh|py|mjs|js|cmake)|CMakeLists\\.txt|\\.ci/run)$")
    check_budget(${path} "${lines}")
  endif()
  if(path MATCHES "\\.(c|h|lua)$")
    check_columns(${path} "${lines}")
  endif()
  if(path MATCHES "\\.h$")
    check_guard(${path} "${lines}")
  endif()
  if(path MATCHES "\\.[ch]$")
    check_includes(${path} "${lines}")
    check_functions(${path} "${lines}")
    check_banned(${path} "${lines}")
  endif()
endfunction()

file(GLOB_RECURSE FILES RELATIVE ${ROOT} ${ROOT}/mockpsp/* ${ROOT}/harness/* ${ROOT}/scenarios/*
  ${ROOT}/tests/* ${ROOT}/.ci/* ${ROOT}/.github/*)
file(GLOB TOP_FILES LIST_DIRECTORIES false RELATIVE ${ROOT} ${ROOT}/*)
list(APPEND FILES ${TOP_FILES})
list(FILTER FILES EXCLUDE REGEX "(^|/)(node_modules|__pycache__|build[^/]*)/|^\\.git$")
list(SORT FILES)

check_layout()
check_names("${FILES}")
foreach(path IN LISTS FILES)
  check_file(${path})
endforeach()

get_property(COUNT GLOBAL PROPERTY TIDY_COUNT)
if(COUNT GREATER 0)
  message(FATAL_ERROR "tidy: ${COUNT} findings")
endif()
list(LENGTH FILES FILE_COUNT)
message(STATUS "tidy: ${FILE_COUNT} files, nothing to say")
