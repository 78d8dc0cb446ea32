#!/bin/bash
# Makes a PostgreSQL cluster in STATE_DIR, with the tables. In namespaces of its own, so that root is
# not root to it, which it would refuse, and so that its shared memory is gone when it is.
set -e
bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
cluster=$STATE_DIR/cluster
unshare --user --ipc "$bin/initdb" --pgdata "$cluster" --username wallet --auth trust --no-sync
unshare --user --ipc "$bin/postgres" --single -j -D "$cluster" postgres <<'SQL'
CREATE TABLE wallets (owner text PRIMARY KEY, balance bigint);

CREATE TABLE debits (id serial PRIMARY KEY, owner text, paid boolean DEFAULT false);
SQL
