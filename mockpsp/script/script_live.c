#include "script_live.h"

#include "check.h"
#include "log.h"
#include "mem.h"
#include "path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SETTLE_MS     50   /* a file that has just changed may change once more */
#define MOST_SETTLING 20   /* and one that never stops is read as it is */
#define LOOK_MS       1000 /* what no event tells of is seen this late */
#define MOST_TOLD     20   /* faults, when a version comes into force */

/* The script as it was read once. */
struct version {
    struct script *script;
    uint64_t *exchanges; /* numbers of those under way that began with it */
    size_t count;
    struct version *older; /* out of force, but an exchange may still be in its hands */
};

struct script_live {
    struct loop *loop;
    char *file;
    char *folder;
    struct script_options options;
    struct version *versions; /* the first is in force */
    char *error;              /* why the latest edit is not in force, or NULL */
    size_t parts;             /* of that version, looked at as well */
    uint64_t read;            /* stamp of the files as they were read last */
    uint64_t seen;            /* and as they were looked at last */
    int settling;             /* looks that found them changed once more */
    struct loop_folder *watch;
    struct loop_timer *settle; /* until the files are taken to be whole, or NULL */
    struct loop_timer *look;   /* until the next look without being told */
    struct loop_timer *sweep;  /* frees versions that nobody uses, or NULL */
};

/* --- versions --------------------------------------------------------------------------------- */

static void add_version(struct script_live *live, struct script *script)
{
    struct version *version = mem_alloc(sizeof *version);
    version->script = script;
    version->older = live->versions;
    live->versions = version;
}

static void free_version(struct version *version)
{
    script_free(version->script);
    free(version->exchanges);
    free(version);
}

static void sweep(void *context)
{
    struct script_live *live = context;
    struct version **place = &live->versions->older;
    live->sweep = NULL;
    while (*place != NULL) {
        struct version *version = *place;
        if (version->count > 0) {
            place = &version->older;
            continue;
        }
        *place = version->older;
        free_version(version);
    }
}

/* In a turn of its own: an exchange may end while the script that it asked is on the stack. */
static void sweep_later(struct script_live *live)
{
    if (live->sweep == NULL)
        live->sweep = loop_after(live->loop, 0, sweep, live);
}

static uint64_t *find(const struct script_live *live, uint64_t number, struct version **found)
{
    for (struct version *version = live->versions; version != NULL; version = version->older) {
        *found = version;
        for (size_t i = 0; i < version->count; i++)
            if (version->exchanges[i] == number)
                return &version->exchanges[i];
    }
    return NULL;
}

/* --- reading it anew -------------------------------------------------------------------------- */

static void mix(uint64_t *stamp, uint64_t value)
{
    *stamp = (*stamp ^ value) * UINT64_C(1099511628211); /* FNV-1a */
}

static void mix_file(uint64_t *stamp, const char *file)
{
    struct stat status;
    if (stat(file, &status) != 0)
        status = (struct stat){0};
    mix(stamp, status.st_dev);
    mix(stamp, status.st_ino);
    mix(stamp, (uint64_t)status.st_size);
    mix(stamp, (uint64_t)status.st_mtim.tv_sec);
    mix(stamp, (uint64_t)status.st_mtim.tv_nsec);
    mix(stamp, (uint64_t)status.st_ctim.tv_sec); /* permissions come back without an mtime */
    mix(stamp, (uint64_t)status.st_ctim.tv_nsec);
}

static struct script *in_force(const struct script_live *live)
{
    return live->versions == NULL ? NULL : live->versions->script;
}

/* Another one when any of the files is another one, or was written to. */
static uint64_t stamp_now(const struct script_live *live)
{
    uint64_t stamp = UINT64_C(14695981039346656037);
    mix_file(&stamp, live->file);
    for (size_t i = 0; i < live->parts; i++)
        mix_file(&stamp, script_part(in_force(live), i));
    return stamp;
}

/* A function may require a file when it is asked, long after it was loaded. */
static void notice_parts(struct script_live *live)
{
    if (script_part(in_force(live), live->parts) == NULL)
        return;
    bool unchanged = stamp_now(live) == live->read;
    while (script_part(in_force(live), live->parts) != NULL)
        live->parts++;
    if (unchanged)
        live->read = stamp_now(live);
}

/* What changes while it is being read is read once more. */
static enum err read_files(struct script_live *live, struct err_text *why)
{
    struct script *script;
    live->read = stamp_now(live);
    enum err err = script_load(live->file, &live->options, &script, why);
    if (err != ERR_OK)
        return err;
    bool unchanged = stamp_now(live) == live->read;
    add_version(live, script);
    live->parts = 0;
    live->read = stamp_now(live);
    notice_parts(live);
    if (!unchanged)
        live->read = 0;
    return ERR_OK;
}

static void tell_in_force(const struct script_live *live)
{
    const struct script *script = in_force(live);
    struct err_text text;
    size_t count = 0;
    while (script_describe(script, count, &text) == ERR_OK)
        count++;
    log_info("%s: loaded anew: %s", live->file,
             count == 0 ? "no faults from now on" : "in force from now on, counted from here:");
    for (size_t i = 0; i < count && i < MOST_TOLD; i++)
        if (script_describe(script, i, &text) == ERR_OK)
            log_info("  %s", text.text);
    if (count > MOST_TOLD)
        log_info("  and %zu more", count - MOST_TOLD);
}

/* While it stays broken the same way there is nothing new to say. */
static void tell_broken(struct script_live *live, const struct err_text *why)
{
    if (live->error != NULL && strcmp(live->error, why->text) == 0)
        return;
    mem_set_string(&live->error, why->text);
    log_error("%s", why->text);
    log_warn("%s: not loaded: what was in force before stays in force", live->file);
}

static void read_anew(struct script_live *live)
{
    struct err_text why = {0};
    if (read_files(live, &why) != ERR_OK) {
        tell_broken(live, &why);
        return;
    }
    mem_set_string(&live->error, NULL);
    sweep_later(live);
    tell_in_force(live);
}

/* --- noticing that it has changed ------------------------------------------------------------- */

static void settled(void *context)
{
    struct script_live *live = context;
    uint64_t stamp = stamp_now(live);
    live->settle = NULL;
    if (stamp != live->seen && live->settling++ < MOST_SETTLING) {
        live->seen = stamp;
        live->settle = loop_after(live->loop, SETTLE_MS, settled, live);
        return;
    }
    /* A file that a broken edit is the first to require is in no stamp yet. */
    if (stamp == live->read && live->error == NULL)
        return;
    read_anew(live);
}

/* An editor writes a file in several steps: wait for the last one. */
static void suspect(struct script_live *live)
{
    if (live->settle != NULL)
        return;
    live->seen = stamp_now(live);
    live->settling = 0;
    live->settle = loop_after(live->loop, SETTLE_MS, settled, live);
}

/* A database may lie in the same folder, and changes all the time. */
static bool is_lua(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".lua") == 0;
}

static void folder_changed(void *context, const char *name)
{
    struct script_live *live = context;
    if (name == NULL || is_lua(name) || strcmp(name, path_name(live->file)) == 0)
        suspect(live);
}

static void look(void *context)
{
    struct script_live *live = context;
    notice_parts(live);
    live->look = loop_after(live->loop, LOOK_MS, look, live);
    if (stamp_now(live) != live->read)
        suspect(live);
}

/* --- as a fault source ------------------------------------------------------------------------ */

static struct fault_source version_faults(const struct version *version)
{
    return script_faults(version->script);
}

static void begin(struct version *version, const struct attempt *attempt)
{
    version->exchanges =
        mem_resize(version->exchanges, version->count + 1, sizeof *version->exchanges);
    version->exchanges[version->count++] = attempt->number;
}

static void ask(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context)
{
    struct script_live *live = self;
    struct version *version;
    notice_parts(live);
    if (find(live, attempt->number, &version) == NULL) {
        CHECK(failpoint_is_first(at));
        version = live->versions;
        begin(version, attempt);
    }
    fault_source_ask(version_faults(version), attempt, at, answer, context);
}

static void see(void *self, const struct attempt *attempt)
{
    const struct script_live *live = self;
    begin(live->versions, attempt);
    CHECK(fault_source_see(version_faults(live->versions), attempt));
}

static void end(void *self, const struct attempt *attempt)
{
    struct script_live *live = self;
    struct version *version;
    uint64_t *number = find(live, attempt->number, &version);
    CHECK(number != NULL);
    fault_source_end(version_faults(version), attempt);
    *number = version->exchanges[--version->count];
    if (version != live->versions && version->count == 0)
        sweep_later(live);
}

struct fault_source script_live_faults(struct script_live *live)
{
    static const struct fault_source_ops ops = {.ask = ask, .see = see, .end = end};
    return (struct fault_source){.ops = &ops, .self = live};
}

/* --- beginning and end ------------------------------------------------------------------------ */

enum err script_live_open(struct script_live **live, struct loop *loop, const char *file,
                          const struct script_options *options, struct err_text *why)
{
    struct script_live *opened = mem_alloc(sizeof *opened);
    opened->loop = loop;
    opened->file = mem_strdup(file);
    opened->folder = path_folder(file);
    opened->options = *options;
    *live = NULL;
    enum err err = read_files(opened, why);
    if (err != ERR_OK) {
        script_live_close(opened);
        return err;
    }
    opened->watch = loop_watch_folder(loop, opened->folder, folder_changed, opened);
    opened->look = loop_after(loop, LOOK_MS, look, opened);
    *live = opened;
    return ERR_OK;
}

void script_live_close(struct script_live *live)
{
    if (live == NULL)
        return;
    loop_folder_stop(live->watch);
    loop_timer_stop(live->settle);
    loop_timer_stop(live->look);
    loop_timer_stop(live->sweep);
    while (live->versions != NULL) {
        struct version *version = live->versions;
        live->versions = version->older;
        free_version(version);
    }
    free(live->file);
    free(live->folder);
    free(live->error);
    free(live);
}
