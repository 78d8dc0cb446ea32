/* The words of a client file (harness/client), each once, as those of a scenario are in
 * vocabulary.h. */
#ifndef CLIENT_VOCABULARY_H
#define CLIENT_VOCABULARY_H

/* X(name, type, what it is): the fields of `client { … }` */
#define CLIENT_FIELD_LIST(X)                                                                       \
    X(command, "string[]", "a process per order: the program and its arguments")                   \
    X(processes, "integer", "so many of them at once for one order, 1 to 10; left out: 1")         \
    X(environment, "table<string, string>", "variables beside those that every client gets")       \
    X(environment_file, "string", "more of them, NAME=value a line; beside the client file")       \
    X(directory, "string", "where its processes work; left out: where psp-harness was started")

#endif
