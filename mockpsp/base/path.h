/* Names of files, as text: nothing is looked up. */
#ifndef PATH_H
#define PATH_H

/* The last part: "b.lua" of "a/b.lua"; within PATH. */
const char *path_name(const char *path);

/* The last part without its ending: "b" of "a/b.lua", ".b" of ".b". The caller's. */
char *path_stem(const char *path);

/* Where it lies: "a" of "a/b.lua", "." of "b.lua", "/" of "/b.lua". The caller's. */
char *path_folder(const char *path);

#endif
