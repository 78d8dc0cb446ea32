#include "path.h"

#include "mem.h"

#include <string.h>

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *path_stem(const char *path)
{
    const char *name = path_name(path);
    const char *dot = strrchr(name, '.');
    return mem_strndup(name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return mem_strdup(".");
    return mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}
