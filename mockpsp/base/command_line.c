#include "command_line.h"

#include "mem.h"
#include "nearest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

static enum err refuse(const struct command_line *line, const char *word, struct err_text *why)
{
    const char **names = mem_alloc(((size_t)line->count + 1) * sizeof *names);
    for (int i = 0; i < line->count; i++)
        names[i] = line->options[i].name;
    char *given = mem_strndup(word, strcspn(word, "="));
    const char *meant = nearest_word(given + strspn(given, "-"), names);
    enum err err = meant == NULL
                       ? err_say(why, ERR_INVALID, "there is no option '%s' (see %s --help)", given,
                                 line->command)
                       : err_say(why, ERR_INVALID, "there is no option '%s': did you mean --%s?",
                                 given, meant);
    free(given);
    free(names);
    return err;
}

/* The number of the option that WORD names, or -1. VALUE: what it carries of one, or NULL. */
static int find(const struct command_line *line, const char *word, const char **value)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    for (int i = 0; i < line->count; i++) {
        const struct command_option *option = &line->options[i];
        if (is_long ? strncmp(option->name, name, length) != 0 || option->name[length] != '\0'
                    : option->letter != *name)
            continue;
        *value = name[length] == '\0' ? NULL : name + length + is_long;
        return i;
    }
    return -1;
}

enum err command_line_read(const struct command_line *line, char *const **argv, int *option,
                           const char **value, struct err_text *why)
{
    const char *word = **argv;
    *option = find(line, word, value);
    if (*option < 0)
        return refuse(line, word, why);
    const struct command_option *found = &line->options[*option];
    if (found->value == NULL && *value != NULL)
        return err_say(why, ERR_INVALID, "--%s takes no value", found->name);
    if (found->value != NULL && *value == NULL) {
        *value = (*argv)[1];
        if (*value == NULL || strcmp(*value, "--") == 0)
            return err_say(why, ERR_INVALID, "--%s needs a value: --%s %s", found->name,
                           found->name, found->value);
        (*argv)++;
    }
    if (*value == NULL)
        *value = "";
    return ERR_OK;
}

/* --- help ------------------------------------------------------------------------------------- */

static bool has_letters(const struct command_line *line)
{
    for (int i = 0; i < line->count; i++)
        if (line->options[i].letter != 0)
            return true;
    return false;
}

/* "-j, --jobs N" */
static char *forms(const struct command_option *option, bool letters)
{
    struct buf text = {0};
    if (option->letter != 0)
        buf_addf(&text, "-%c, ", option->letter);
    else if (letters)
        buf_add_string(&text, "    ");
    buf_addf(&text, "--%s", option->name);
    if (option->value != NULL)
        buf_addf(&text, " %s", option->value);
    return buf_take(&text);
}

void command_line_help(const struct command_line *line, struct buf *out)
{
    bool letters = has_letters(line);
    size_t width = 0;
    for (int i = 0; i < line->count; i++) {
        char *left = forms(&line->options[i], letters);
        width = strlen(left) > width ? strlen(left) : width;
        free(left);
    }
    for (int i = 0; i < line->count; i++) {
        char *left = forms(&line->options[i], letters);
        buf_addf(out, "  %-*s  %s\n", (int)width, left, line->options[i].does);
        free(left);
    }
}
