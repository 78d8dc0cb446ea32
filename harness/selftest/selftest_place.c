#include "selftest_place.h"

#include "mem.h"
#include "path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a path seen from the program, where the clients may be, and where those that were built. */
static const char *const CLIENTS[] = {"../scenarios/clients", "../share/mockpsp/scenarios/clients"};
static const char *const BUILT[] = {".", "../libexec/mockpsp"};

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

static bool holds_list(const char *folder)
{
    char *list = mem_printf("%s/%s", folder, SELFTEST_LIST);
    bool holds = is_there(list);
    free(list);
    return holds;
}

static void find_programs(struct selftest_place *place)
{
    char *program = realpath("/proc/self/exe", NULL);
    place->programs = program == NULL ? mem_strdup(".") : path_folder(program);
    free(program);
}

static char *find_clients(const struct selftest_place *place)
{
    if (holds_list("scenarios/clients"))
        return mem_strdup("scenarios/clients");
    for (size_t i = 0; i < sizeof CLIENTS / sizeof *CLIENTS; i++) {
        char *folder = mem_printf("%s/%s", place->programs, CLIENTS[i]);
        if (holds_list(folder))
            return folder;
        free(folder);
    }
    return NULL;
}

enum err selftest_place_find(const char *given, struct selftest_place *place, struct err_text *why)
{
    *place = (struct selftest_place){0};
    find_programs(place);
    char *folder = given != NULL ? mem_strdup(given) : find_clients(place);
    if (folder == NULL)
        return err_say(why, ERR_NOT_FOUND,
                       "the bundled clients are not there: neither in ./scenarios/clients nor near "
                       "this program, so name their folder with --clients");
    place->clients = realpath(folder, NULL);
    free(folder);
    if (place->clients == NULL)
        return err_say(why, ERR_NOT_FOUND, "'%s' cannot be read: %s", given, strerror(errno));
    if (!holds_list(place->clients))
        return err_say(why, ERR_NOT_FOUND, "'%s' holds no %s, the list of what has to be found",
                       given, SELFTEST_LIST);
    return ERR_OK;
}

void selftest_place_release(struct selftest_place *place)
{
    free(place->clients);
    free(place->programs);
    *place = (struct selftest_place){0};
}

char *selftest_place_file(const struct selftest_place *place, const char *word)
{
    char *path = mem_printf("%s/%s", place->clients, word);
    for (size_t i = 0; !is_there(path) && i < sizeof BUILT / sizeof *BUILT; i++) {
        free(path);
        path = mem_printf("%s/%s/%s", place->programs, BUILT[i], word);
    }
    if (is_there(path))
        return path;
    free(path);
    return NULL;
}

static bool is_program(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    for (size_t length; path != NULL && *path != '\0' && !found; path += length) {
        length = strcspn(path, ":");
        char *file = mem_printf("%.*s/%s", (int)length, path, name);
        found = access(file, X_OK) == 0;
        free(file);
        length += path[length] == ':';
    }
    return found;
}

char *selftest_place_lacks(const struct selftest_place *place, const char *needs)
{
    for (size_t length; needs != NULL && *needs != '\0'; needs += length) {
        length = strcspn(needs, " ");
        char *need = mem_strndup(needs, length);
        char *path = *need == '/' ? mem_strdup(need) : mem_printf("%s/%s", place->clients, need);
        bool there = strchr(need, '/') == NULL ? is_program(need) : is_there(path);
        free(path);
        if (!there)
            return need;
        free(need);
        length += needs[length] == ' ';
    }
    return NULL;
}
