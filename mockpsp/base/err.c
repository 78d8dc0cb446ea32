#include "err.h"

#include "check.h"

#include <stdarg.h>
#include <stdio.h>

const char *err_name(enum err err)
{
#define ERR_NAME(name, text) text,
    static const char *const names[] = {ERR_LIST(ERR_NAME)};
#undef ERR_NAME
    CHECK((unsigned)err < ERR_COUNT);
    return names[err];
}

enum err err_say(struct err_text *text, enum err err, const char *format, ...)
{
    if (text != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(text->text, sizeof text->text, format, args);
        va_end(args);
    }
    return err;
}
