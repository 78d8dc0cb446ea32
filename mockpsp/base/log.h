/* Lines for the person at the terminal, on stderr: "name: text". Results never go here. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>

/* The name in front of every line; NAME must live on. */
void log_set_name(const char *name);

/* Quiet: log_info says nothing, warnings and errors still do. */
void log_set_quiet(bool quiet);

void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
