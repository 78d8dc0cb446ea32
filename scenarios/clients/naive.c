/* A job that pays one order with libcurl and no key, written the way most are.
 *
 * It retries what looks like trouble with the network. Every one of its retries, and every later
 * run of the job, is a new payment: nothing on the wire says that it is the same one. */
#include "psp_call.h"

#include <stdio.h>
#include <unistd.h>

#define RETRIES 2

int main(void)
{
    char paid_file[4096];
    struct psp_reply reply;

    snprintf(paid_file, sizeof paid_file, "%s/%s.paid", psp_env("STATE_DIR"), psp_env("ORDER_ID"));
    if (access(paid_file, F_OK) == 0)
        return 0;

    psp_pay(NULL, NULL, &reply);
    for (int i = 0; i < RETRIES && (reply.status == 0 || reply.status >= 500); i++) {
        psp_reply_release(&reply);
        psp_pay(NULL, NULL, &reply);
    }
    long status = reply.status;
    psp_reply_release(&reply);

    if (status == 200) {
        /* The mistake: whoever dies before this line has paid and does not know. */
        FILE *file = fopen(paid_file, "w");
        return file != NULL && fclose(file) == 0 ? 0 : 75;
    }
    /* The other mistake: "an error, so run the job again", although nobody knows what it did. */
    return status == 402 ? 1 : 75;
}
