#include "group.h"

#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "12 (name) S 1 12 …": the name may hold anything, so the fields begin after the last bracket. */
static int parse_status(const char *text, struct process_status *status)
{
    const char *fields = strrchr(text, ')');
    if (fields == NULL || fields[1] != ' ' || fields[2] == '\0')
        return 0;
    char *end;
    status->state = fields[2];
    status->parent = (pid_t)strtol(fields + 3, &end, 10);
    const char *second = end;
    status->group = (pid_t)strtol(second, &end, 10);
    return end != second;
}

static int read_status(pid_t pid, struct process_status *status)
{
    char path[32];
    char text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    return parse_status(text, status);
}

void process_each(int (*each)(void *context, pid_t pid, const struct process_status *status),
                  void *context)
{
    DIR *dir = opendir("/proc");
    if (dir == NULL)
        return;
    int go_on = 1;
    const struct dirent *entry;
    while (go_on && (entry = readdir(dir)) != NULL) {
        char *end;
        struct process_status status;
        long pid = strtol(entry->d_name, &end, 10);
        /* A process that ended between the two looks is no process any more. */
        if (*end == '\0' && pid > 0 && read_status((pid_t)pid, &status))
            go_on = each(context, (pid_t)pid, &status);
    }
    closedir(dir);
}

struct census {
    pid_t group;
    int alive;
    int running;
};

static int count_member(void *context, pid_t pid, const struct process_status *status)
{
    struct census *census = context;
    (void)pid;
    if (status->group != census->group || strchr("ZXx", status->state) != NULL)
        return 1;
    census->alive++;
    if (strchr("TtD", status->state) == NULL)
        census->running++;
    return 1;
}

enum group_state group_state(pid_t group)
{
    struct census census = {.group = group};
    process_each(count_member, &census);
    if (census.alive == 0)
        return GROUP_GONE;
    return census.running == 0 ? GROUP_STOPPED : GROUP_RUNNING;
}

void group_signal(pid_t group, int signal)
{
    CHECK(group > 1); /* 0 is our own group, and 1 would be everybody */
    kill(-group, signal);
}
