#include "judge_options.h"

#include "command_line.h"

#include <string.h>

#define OPTION_ENUM(constant, letter, name, value, does) OPTION_##constant,
enum option { JUDGE_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct command_option OPTIONS[] = {
#define OPTION_ROW(constant, letter, name, value, does) {letter, name, value, does},
    JUDGE_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

static const struct command_line LINE = {"psp-harness judge", OPTIONS, OPTION_COUNT};

static enum err set(enum option option, const char *value, struct judge_options *options,
                    struct err_text *why)
{
    switch (option) {
    case OPTION_CLAIMS:
        options->claims = value;
        break;
    case OPTION_API_KEY:
        options->api_key = value;
        break;
    case OPTION_TOKEN:
        options->token = value;
        break;
    case OPTION_CALM:
        options->rules.calm = true;
        break;
    case OPTION_STRICT:
        options->rules.strict = true;
        break;
    case OPTION_FORMAT:
        return report_format_parse(value, &options->format, why);
    case OPTION_REPORT:
        options->report = value;
        break;
    case OPTION_HELP:
    case OPTION_COUNT:
        options->help = true;
        break;
    }
    return ERR_OK;
}

static enum err check(const struct judge_options *options, struct err_text *why)
{
    if (options->help)
        return ERR_OK;
    if (options->source == NULL)
        return err_say(why, ERR_INVALID,
                       "no journal: name a file, or the URL of a mockpsp, as in "
                       "psp-harness judge http://127.0.0.1:12111");
    if (options->claims != NULL && strcmp(options->claims, "-") == 0 &&
        strcmp(options->source, "-") == 0)
        return err_say(why, ERR_INVALID, "journal and claims cannot both come from stdin");
    return ERR_OK;
}

enum err judge_options_parse(char *const *argv, struct judge_options *options, struct err_text *why)
{
    *options = (struct judge_options){0};
    for (; *argv != NULL; argv++) {
        if ((*argv)[0] == '-' && (*argv)[1] != '\0') {
            int option;
            const char *value;
            enum err err = command_line_read(&LINE, &argv, &option, &value, why);
            if (err == ERR_OK)
                err = set((enum option)option, value, options, why);
            if (err != ERR_OK)
                return err;
        } else if (options->source != NULL) {
            return err_say(why, ERR_INVALID, "one journal at a time: '%s' is another", *argv);
        } else {
            options->source = *argv;
        }
    }
    return check(options, why);
}

void judge_options_help(struct buf *out)
{
    command_line_help(&LINE, out);
}
