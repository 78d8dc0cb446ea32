#include "utf8.h"

/* Bytes that a UTF-8 sequence starting with LEAD has, 0 for none. */
static int utf8_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

bool utf8_valid(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    while (*byte != '\0') {
        int length = utf8_length(*byte);
        if (length == 0 || (byte[0] == 0xe0 && byte[1] < 0xa0) ||
            (byte[0] == 0xed && byte[1] > 0x9f) || (byte[0] == 0xf0 && byte[1] < 0x90) ||
            (byte[0] == 0xf4 && byte[1] > 0x8f))
            return false;
        for (int i = 1; i < length; i++)
            if ((byte[i] & 0xc0) != 0x80)
                return false;
        byte += length;
    }
    return true;
}
