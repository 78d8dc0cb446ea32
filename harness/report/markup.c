#include "markup.h"

static const char *entity(char letter)
{
    switch (letter) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void markup_text(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        const char *instead = entity(*text);
        if (instead != NULL)
            buf_add_string(out, instead);
        else if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
            buf_add_char(out, '?');
        else
            buf_add_char(out, *text);
    }
}
