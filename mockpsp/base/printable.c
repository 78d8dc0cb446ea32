#include "printable.h"

#include <stdbool.h>
#include <string.h>

/* How many bytes the character at BYTE has, of LEFT; 0: it is none. */
static size_t character_length(const unsigned char *byte, size_t left)
{
    size_t length = *byte < 0x80   ? 1
                    : *byte < 0xc2 ? 0
                    : *byte < 0xe0 ? 2
                    : *byte < 0xf0 ? 3
                    : *byte < 0xf5 ? 4
                                   : 0;
    for (size_t i = 1; i < length; i++)
        if (i >= left || (byte[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Whether a terminal would do something else than show it. */
static bool acts(const unsigned char *byte, size_t length)
{
    if (length == 1)
        return *byte < 0x20 || *byte == 0x7f;
    if (length == 2) /* the other control characters; U+00AD and 061C: see below */
        return (byte[0] == 0xc2 && (byte[1] < 0xa0 || byte[1] == 0xad)) ||
               (byte[0] == 0xd8 && byte[1] == 0x9c);
    if (length == 4) /* U+E0000..E007F: tags, which hide a whole sentence */
        return byte[0] == 0xf3 && byte[1] == 0xa0 && (byte[2] == 0x80 || byte[2] == 0x81);
    /* U+200B..200F, 2028..202E, 2060..206F and FEFF: invisible, or they turn the line around. */
    if (byte[0] == 0xe2 && byte[1] == 0x80)
        return (byte[2] >= 0x8b && byte[2] <= 0x8f) || (byte[2] >= 0xa8 && byte[2] <= 0xae);
    return (byte[0] == 0xe2 && byte[1] == 0x81 && byte[2] >= 0xa0 && byte[2] <= 0xaf) ||
           (byte[0] == 0xef && byte[1] == 0xbb && byte[2] == 0xbf);
}

void printable_add(struct buf *out, const char *text, size_t length, const char *keep)
{
    const unsigned char *byte = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        size_t taken = character_length(byte + i, length - i);
        bool kept = byte[i] != '\0' && byte[i] < 0x80 && strchr(keep, byte[i]) != NULL;
        if (kept || (taken > 0 && !acts(byte + i, taken))) {
            buf_add(out, text + i, taken);
        } else {
            taken = taken == 0 ? 1 : taken;
            for (size_t j = 0; j < taken; j++)
                buf_addf(out, "\\x%02x", byte[i + j]);
        }
        i += taken;
    }
}

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Where character number N of TEXT starts. */
static const char *character(const char *text, size_t n)
{
    for (; *text != '\0'; text++)
        if (starts_character(*text) && n-- == 0)
            break;
    return text;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += starts_character(*text);
    return count;
}

void printable_add_short(struct buf *out, const char *text, size_t most)
{
    struct buf whole = {0};
    printable_add(&whole, text, strlen(text), "");
    const char *shown = buf_string(&whole);
    size_t count = count_characters(shown);
    if (count <= most) {
        buf_add_string(out, shown);
    } else {
        size_t tail = (most - 2) / 3;
        buf_add(out, shown, (size_t)(character(shown, most - 2 - tail) - shown));
        buf_add_string(out, "..");
        buf_add_string(out, character(shown, count - tail));
    }
    buf_release(&whole);
}
