/* The words of a client file (harness/client), each once, as those of a scenario are in
 * vocabulary.h. */
#ifndef CLIENT_VOCABULARY_H
#define CLIENT_VOCABULARY_H

/* X(name, type, what it is): the fields of `client { … }` */
#define CLIENT_FIELD_LIST(X)                                                                       \
    X(command, "string[]", "a process per order: the program and its arguments")                   \
    X(batch, "string[]",                                                                           \
      "one process for many orders: JSON lines in, a line of JSON out for each claim")             \
    X(service, "string[]", "one process that listens, for all orders; with submit and claim")      \
    X(ready, "Ready", "when the service is; left out: when {app_port} takes connections")          \
    X(submit, "fun(order: ClientOrder): boolean?",                                                 \
      "gives an order to the service; false: it did not get through, and is given again")          \
    X(claim, "Claim|fun(order: ClientOrder): string, string?",                                     \
      "what the client says of it: succeeded, failed or unknown, and the payment's id")            \
    X(effects, "fun(order: ClientOrder): table<string, integer>?",                                 \
      "what the client did because it is paid, and how often: { shipped = 1 }")                    \
    X(patience, "string", "how long an order may be unknown in one run; left out: 2s")             \
    X(workers, "string[][]", "processes that run beside it, started again whenever they end")      \
    X(prepare, "string[]", "run once; every world gets a copy of what it leaves in its STATE_DIR") \
    X(queue, "Queue", "how its job queue delivers again; a scenario's own counts for more")        \
    X(processes, "integer", "so many at once for one order, 1 to 10; left out: 1")                 \
    X(environment, "table<string, string>", "variables beside those that every client gets")       \
    X(environment_file, "string", "more of them, NAME=value a line; beside the client file")       \
    X(directory, "string", "where its processes work; left out: where psp-harness was started")

/* X(name, type, what it is): the fields of `ready`, one of the first three */
#define READY_FIELD_LIST(X)                                                                        \
    X(url, "string", "it answers there with 2xx")                                                  \
    X(port, "string|integer", "it takes connections there")                                        \
    X(line, "string", "it has printed a line with that in it")                                     \
    X(timeout, "string", "how long that may take; left out: 10s")

/* X(name, type, what it is): the fields of a `claim` that is a query */
#define CLAIM_FIELD_LIST(X)                                                                        \
    X(query, "string", "its first row: the outcome, and the payment's id if there is one")         \
    X(sqlite, "string",                                                                            \
      "the file that is asked, in the state directory; :order is the order's id")                  \
    X(command, "string", "or the command, run by a shell, that gets the query on its stdin")       \
    X(words, "table<string, string>", "outcomes by what is found: { paid = \"succeeded\" }")

/* X(name, type, what it is): of the order in submit, claim and effects */
#define CLIENT_ORDER_FIELD_LIST(X)                                                                 \
    X(id, "string", "as a process gets it in ORDER_ID")                                            \
    X(amount, "integer", "minor units, its own in every run")                                      \
    X(currency, "string", "lower case")                                                            \
    X(state, "string", "the directory that outlives a crash")

/* X(name, type, what it is): the fields of `http.get { … }` and `http.post { … }` */
#define HTTP_FIELD_LIST(X)                                                                         \
    X(url, "string", "with {placeholders}; has to be given")                                       \
    X(headers, "table<string, string>", "by name")                                                 \
    X(body, "string", "as it is")                                                                  \
    X(json, "any", "a table that is sent as JSON")                                                 \
    X(form, "table<string, string>", "a table that is sent as a form")                             \
    X(timeout, "string", "left out: 10s")

/* X(name, type, what it is): of what they return */
#define ANSWER_FIELD_LIST(X)                                                                       \
    X(status, "integer", "0: there was no answer")                                                 \
    X(error, "string", "then why, in words; else nil")                                             \
    X(body, "string", "the text of it")                                                            \
    X(json, "any", "the same as a table, or nil when it is no JSON")                               \
    X(headers, "table<string, string>", "names in lower case")

#endif
