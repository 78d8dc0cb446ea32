#include "inventory.h"

#include "dialect.h"
#include "duration.h"
#include "invariant.h"
#include "printable.h"
#include "run_files.h"
#include "scenario.h"
#include "vocabulary.h"

#include <string.h>

static void list_scenario(const char *file, struct buf *out)
{
    struct scenario *scenario;
    struct err_text why = {0};
    if (scenario_load(file, 1, &scenario, &why) != ERR_OK) {
        buf_addf(out, "  %-46s broken: %s\n", file, why.text);
        return;
    }
    buf_addf(out, "  %-46s ", file);
    printable_add(out, scenario_title(scenario), strlen(scenario_title(scenario)), "");
    buf_add_char(out, '\n');
    scenario_free(scenario);
}

static enum err list_scenarios(const char *path, struct buf *out, struct err_text *why)
{
    struct run_files files;
    buf_add_string(out, "scenarios\n");
    enum err err = run_files_find(&path, path == NULL ? 0 : 1, &files, why);
    if (err != ERR_OK && path == NULL) {
        buf_addf(out, "  none: %s\n", why->text);
        err = ERR_OK; /* nobody has asked for any */
    }
    for (size_t i = 0; i < files.count; i++)
        list_scenario(files.names[i], out);
    run_files_release(&files);
    return err;
}

static void list_dialects(struct buf *out)
{
    buf_add_string(out, "\ndialects, how a provider does idempotency\n");
    for (int i = 0; dialect_number(i) != NULL; i++) {
        const struct dialect *dialect = dialect_number(i);
        buf_addf(out, "  %-24s keys in %s, live for %s\n", dialect->name.text,
                 dialect->carrier == CARRIER_NONE ? "nothing" : dialect->key.text,
                 duration_format(dialect->ttl_ms).text);
    }
}

static void list_invariants(struct buf *out)
{
    buf_add_string(out, "\ninvariants, what has to hold all the same\n");
    for (int i = 0; i < INVARIANT_COUNT; i++)
        buf_addf(out, "  %-24s %s%s\n", invariant_name((enum invariant)i),
                 invariant_demands((enum invariant)i),
                 invariant_severity((enum invariant)i) == WARNS ? " (warns)" : "");
}

static void list_causes(struct buf *out)
{
    buf_add_string(out, "\ncauses, what the client has to mend where it does not hold\n");
    for (int i = CAUSE_unknown + 1; i < CAUSE_COUNT; i++)
        buf_addf(out, "  %-24s %s\n", cause_name((enum cause)i), cause_words((enum cause)i));
}

enum err inventory_list(const char *path, struct buf *out, struct err_text *why)
{
    enum err err = list_scenarios(path, out, why);
    if (err != ERR_OK)
        return err;
    vocabulary_list(out);
    list_invariants(out);
    list_causes(out);
    list_dialects(out);
    return ERR_OK;
}
