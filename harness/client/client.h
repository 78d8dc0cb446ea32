/* What a client is given: its command with the {placeholders} filled in, and its environment. */
#ifndef CLIENT_H
#define CLIENT_H

/* X(variable or NULL, placeholder, field, what it is) */
#define CLIENT_VALUE_LIST(X)                                                                       \
    X("PSP_URL", "{url}", url, "where the provider listens: http://127.0.0.1:41873")               \
    X(NULL, "{host}", host, "its host alone")                                                      \
    X(NULL, "{port}", port, "its port alone")                                                      \
    X("PSP_API_KEY", "{key}", key, "the API key: sk_test_...")                                     \
    X("ORDER_ID", "{order}", order, "the order to pay for")                                        \
    X("ORDER_AMOUNT", "{amount}", amount, "its amount, in minor units")                            \
    X("ORDER_CURRENCY", "{currency}", currency, "its currency")                                    \
    X("JOB_ATTEMPT", "{attempt}", attempt, "which delivery of its job this is, from 1")            \
    X("JOB_TRIES", "{tries}", tries, "how many there are at most, where its queue says so")        \
    X("STATE_DIR", "{state}", state, "a directory that outlives a crash")                          \
    X("PSP_WEBHOOK_SECRET", "{webhook_secret}", webhook_secret, "what webhooks are signed with")   \
    X("APP_PORT", "{app_port}", app_port, "a free port, for a service")

#define CLIENT_VALUE_FIELD(variable, placeholder, field, what) const char *field;
struct client_values {
    CLIENT_VALUE_LIST(CLIENT_VALUE_FIELD)
};
#undef CLIENT_VALUE_FIELD

/* A copy of COMMAND (which ends with NULL) with every placeholder replaced, in the middle of a word
 * as well; braces that hold no known name stay as they are. Free it with client_list_free. */
char **client_command(char *const *command, const struct client_values *values);

/* WORD with its placeholders replaced, for the caller to free. */
char *client_fill(const char *word, const struct client_values *values);

/* A copy of BASE (as environ) with our variables in it, those of MORE ("NAME=value", placeholders
 * replaced), which have the last word, and the way to the provider kept clear of any HTTP proxy.
 * A value that is NULL is not given: the variable is as it is in BASE. Free it with
 * client_list_free. */
char **client_environment(char *const *base, const struct client_values *values, char *const *more);

/* Lists of text that end with NULL. */
char **client_list_copy(char *const *list);
void client_list_add(char ***list, char *text); /* takes TEXT over; *LIST may be NULL */
/* ENTRY, "NAME=value", in place of another of that name; takes it over. */
void client_list_set(char ***list, char *entry);
void client_list_free(char **list); /* NULL is fine */

#endif
