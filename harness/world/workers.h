/* What runs beside a client: queue workers, schedulers. Started again whenever they end. */
#ifndef WORKERS_H
#define WORKERS_H

struct world;

/* Starts those of WORLD's client, once the client itself is ready; again whoever is gone and may be
 * started. To be called whenever something has happened. */
void workers_progress(struct world *world);

void workers_release(struct world *world);

#endif
