/* What can go wrong without being a bug: the disk, the peer, a script, the user.
 *
 * A function that can fail this way returns enum err, and its caller must look at it. Where a
 * person will read about the failure, the function also takes a struct err_text and leaves one
 * sentence there that names the thing and the remedy. A declined card or a key conflict is not an
 * error in this sense: it is a value of the domain. */
#ifndef ERR_H
#define ERR_H

#define ERR_LIST(X)                                                                                \
    X(ERR_OK, "ok")                                                                                \
    X(ERR_END, "end of input")                                                                     \
    X(ERR_NOT_FOUND, "not found")                                                                  \
    X(ERR_INVALID, "invalid input")                                                                \
    X(ERR_LIMIT, "limit exceeded")                                                                 \
    X(ERR_IO, "input/output error")                                                                \
    X(ERR_FULL, "no space left")                                                                   \
    X(ERR_BUSY, "in use by another process")                                                       \
    X(ERR_CORRUPT, "corrupt data")                                                                 \
    X(ERR_SCRIPT, "script error")

#define ERR_ENUM(name, text) name,
enum err { ERR_LIST(ERR_ENUM) ERR_COUNT };
#undef ERR_ENUM

/* For functions whose failure must not be overlooked. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* One message for a person; "" when there is none. LINE is the line of the file it speaks of, 0
 * when unknown; whoever knows the file puts "file:line: " in front. */
struct err_text {
    char text[1024];
    int line;
};

/* A short, static English phrase for ERR. */
const char *err_name(enum err err);

/* Formats a message into TEXT (which may be NULL), cut off when too long, and returns ERR, so that
 * a caller can write `return err_say(text, ERR_INVALID, "...")`. */
enum err err_say(struct err_text *text, enum err err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
