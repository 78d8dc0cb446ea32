/* HTTP out: one POST at a time per struct post, many side by side, none of which waits. libcurl's
 * multi interface on our event loop. */
#ifndef POST_H
#define POST_H

#include "loop.h"

struct poster;
struct post;

/* Told once, in a turn of its own. STATUS is that of the answer, ERROR NULL, whatever becomes of
 * its body once the headers are there; or STATUS is 0 and ERROR says in words why there was no
 * answer. The callback frees the post. */
typedef void post_over(void *context, int status, const char *error);

struct poster *poster_new(struct loop *loop);

/* Every post has to be freed before. NULL is fine. */
void poster_free(struct poster *poster);

/* Sends BODY (JSON, taken over) to URL with SIGNATURE in its header. Redirects are not followed, no
 * proxy is asked, and an answer without its headers after 10 s is none. Certificates are verified,
 * save for this machine: on loopback nobody is in between, and tests have certificates of their
 * own. */
struct post *post_start(struct poster *poster, const char *url, const char *signature, char *body,
                        post_over *over, void *context);

/* Ends it if it is under way; it is told nothing then. NULL is fine. */
void post_free(struct post *post);

#endif
