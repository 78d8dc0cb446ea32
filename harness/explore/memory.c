#include "memory.h"

#include "buf.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PLACES 4096 /* of the hash table; a chain each */

struct entry {
    struct entry *next;
    struct plan_name name;
    int orders;
    int turn;
    struct trial trial;
};

struct memory {
    struct entry *places[PLACES];
    FILE *file; /* NULL: it is not written down */
    char *error;
};

struct memory *memory_new(void)
{
    return mem_alloc(sizeof(struct memory));
}

void memory_free(struct memory *memory)
{
    if (memory == NULL)
        return;
    for (size_t i = 0; i < PLACES; i++)
        while (memory->places[i] != NULL) {
            struct entry *entry = memory->places[i];
            memory->places[i] = entry->next;
            trial_release(&entry->trial);
            free(entry);
        }
    if (memory->file != NULL)
        fclose(memory->file);
    free(memory->error);
    free(memory);
}

void memory_trouble(struct memory *memory, const char *why)
{
    if (memory->error == NULL)
        memory->error = mem_strdup(why);
}

const char *memory_error(const struct memory *memory)
{
    return memory->error;
}

/* The first digits of a hash are as good as any. */
static size_t place_of(struct plan_name name)
{
    name.text[8] = '\0';
    return strtoul(name.text, NULL, 16) % PLACES;
}

static const struct entry *find(const struct memory *memory, const struct plan_name *name,
                                int orders, int turn)
{
    const struct entry *entry = memory->places[place_of(*name)];
    while (entry != NULL && (strcmp(entry->name.text, name->text) != 0 || entry->orders != orders ||
                             entry->turn != turn))
        entry = entry->next;
    return entry;
}

const struct trial *memory_find(const struct memory *memory, const struct trial_question *question)
{
    struct plan_name name = plan_name(question->plan);
    const struct entry *entry = find(memory, &name, question->orders, question->turn);
    return entry == NULL ? NULL : &entry->trial;
}

/* What is known already stays as it is: it may have been asked for by several shards. */
static void put(struct memory *memory, const struct trial_question *question, struct trial trial)
{
    struct plan_name name = plan_name(question->plan);
    if (find(memory, &name, question->orders, question->turn) != NULL) {
        trial_release(&trial);
        return;
    }
    struct entry *entry = mem_alloc(sizeof *entry);
    struct entry **place = &memory->places[place_of(name)];
    *entry = (struct entry){*place, name, question->orders, question->turn, trial};
    *place = entry;
}

static void write_line(struct memory *memory, struct json *json)
{
    char *line = json_print(json);
    if (fprintf(memory->file, "%s\n", line) < 0 || fflush(memory->file) != 0)
        memory_trouble(memory, strerror(errno));
    free(line);
    json_free(json);
}

void memory_add(struct memory *memory, const struct trial_question *question, struct trial trial)
{
    if (memory->file != NULL) {
        struct json *json = json_object();
        json_set(json, "plan", plan_to_json(question->plan));
        json_set_int(json, "orders", question->orders);
        json_set_int(json, "turn", question->turn);
        json_set(json, "trial", trial_to_json(&trial));
        write_line(memory, json);
    }
    put(memory, question, trial);
}

/* --- the file -------------------------------------------------------------------------------- */

static enum err read_entry(struct memory *memory, const struct json *json)
{
    struct plan plan;
    struct trial trial;
    if (plan_from_json(json_get(json, "plan"), &plan) != ERR_OK)
        return ERR_INVALID;
    struct trial_question question = {&plan, (int)json_get_int(json, "orders", 1),
                                      (int)json_get_int(json, "turn", 0), false};
    enum err err = trial_from_json(json_get(json, "trial"), &trial);
    if (err == ERR_OK)
        put(memory, &question, trial);
    plan_release(&plan);
    return err;
}

/* The first line into *SETUP, the others into MEMORY. *WHOLE: how many bytes of FILE are whole
 * lines. */
static enum err read_lines(struct memory *memory, FILE *file, const char *name, struct json **setup,
                           long *whole, struct err_text *why)
{
    char *line = NULL;
    size_t size = 0;
    int number = 0;
    enum err err = ERR_OK;
    ssize_t length;
    *setup = NULL;
    *whole = 0;
    while (err == ERR_OK && (length = getline(&line, &size, file)) > 0 &&
           line[length - 1] == '\n') {
        struct json *json = NULL;
        number++;
        err = json_parse(line, (size_t)length, &json, NULL);
        if (err == ERR_OK && number == 1) {
            *setup = json_copy(json_get(json, "setup"));
            err = *setup == NULL ? ERR_INVALID : ERR_OK;
        } else if (err == ERR_OK) {
            err = read_entry(memory, json);
        }
        json_free(json);
        if (err == ERR_OK)
            *whole = ftell(file);
    }
    free(line);
    if (err == ERR_OK)
        return ERR_OK;
    json_free(*setup);
    *setup = NULL;
    return err_say(why, ERR_INVALID, "'%s' is no memory of an exploration, see line %d", name,
                   number);
}

enum err memory_read(struct memory *memory, const char *file, struct json **setup,
                     struct err_text *why)
{
    long whole;
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return err_say(why, ERR_NOT_FOUND, "'%s' cannot be read: %s", file, strerror(errno));
    enum err err = read_lines(memory, stream, file, setup, &whole, why);
    fclose(stream);
    if (err == ERR_OK && *setup == NULL)
        return err_say(why, ERR_INVALID, "'%s' is empty", file);
    return err;
}

/* What is in the open FILE goes on, if it is of SETUP; a line that was cut off is taken away. */
static enum err resume(struct memory *memory, const char *name, const struct json *setup,
                       bool *empty, struct err_text *why)
{
    long whole;
    struct json *found;
    enum err err = read_lines(memory, memory->file, name, &found, &whole, why);
    *empty = found == NULL;
    if (err == ERR_OK && found != NULL && !json_equal(found, setup))
        err = err_say(why, ERR_INVALID,
                      "'%s' is of another exploration (another client, seed or option): resume it "
                      "as it was begun, or name another directory",
                      name);
    json_free(found);
    if (err == ERR_OK &&
        (ftruncate(fileno(memory->file), whole) != 0 || fseek(memory->file, whole, SEEK_SET) != 0))
        err = err_say(why, ERR_IO, "'%s' cannot be written: %s", name, strerror(errno));
    return err;
}

enum err memory_keep(struct memory *memory, const char *file, struct json *setup, bool again,
                     struct err_text *why)
{
    bool empty = true;
    enum err err = ERR_OK;
    memory->file = fopen(file, "a+e");
    bool opened = memory->file != NULL;
    if (opened && flock(fileno(memory->file), LOCK_EX | LOCK_NB) != 0)
        err = err_say(why, ERR_INVALID, "'%s' is in use by another exploration", file);
    else if (!opened || fseek(memory->file, 0, SEEK_SET) != 0 ||
             (!again && ftruncate(fileno(memory->file), 0) != 0))
        err = err_say(why, ERR_IO, "'%s' cannot be written: %s", file, strerror(errno));
    else if (again)
        err = resume(memory, file, setup, &empty, why);
    if (err == ERR_OK && empty) {
        struct json *head = json_object();
        json_set(head, "setup", setup);
        write_line(memory, head);
    } else {
        json_free(setup);
    }
    return err;
}
