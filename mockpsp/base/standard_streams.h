/* Standard input, output and error. */
#ifndef STANDARD_STREAMS_H
#define STANDARD_STREAMS_H

/* Opens those that whoever started us has closed, so that no database and no socket gets their
 * numbers, and with them what is printed: such a stream has nothing to read, and what is written to
 * it fails. To be called before anything else is opened. */
void standard_streams_open(void);

#endif
