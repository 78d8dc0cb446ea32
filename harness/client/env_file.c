#include "env_file.h"

#include "buf.h"
#include "client.h"
#include "mem.h"
#include "scriptfile.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return isdigit((unsigned char)text[0]) ? 0 : length;
}

/* LINE is cut to pieces. */
static bool read_line(char *line, char ***list)
{
    if (strncmp(line, "export ", 7) == 0)
        line += 7;
    size_t length = name_length(line);
    if (length == 0 || line[length] != '=')
        return false;
    line[length] = '\0';
    char *value = line + length + 1;
    size_t end = strlen(value);
    while (end > 0 && isspace((unsigned char)value[end - 1]))
        value[--end] = '\0';
    bool quoted = end >= 2 && (*value == '"' || *value == '\'') && value[end - 1] == *value;
    if (quoted) {
        value[end - 1] = '\0';
        value++;
    }
    client_list_add(list, mem_printf("%s=%s", line, value));
    return true;
}

enum err env_file_read(const char *file, char ***list, struct err_text *why)
{
    struct buf text = {0};
    enum err err = scriptfile_read(file, file, &text, why);
    char *rest = buf_take(&text);
    char *next = rest;
    for (int number = 1; err == ERR_OK && next != NULL; number++) {
        char *line = strsep(&next, "\n");
        line += strspn(line, " \t\r");
        if (*line != '\0' && *line != '#' && !read_line(line, list))
            err = err_say(why, ERR_INVALID, "%s:%d: this is not NAME=value", file, number);
    }
    free(rest);
    return err;
}
