/* The tables, and the numbered steps that lead to them. */
#ifndef SCHEMA_H
#define SCHEMA_H

/* Marks the file as ours ("mpsp"), in PRAGMA application_id. */
#define SCHEMA_APPLICATION_ID 0x6d707370

/* Steps from nothing to today's schema; step N brings version N-1 to N (PRAGMA user_version). */
extern const char *const SCHEMA_STEPS[];
int schema_version(void);

#endif
