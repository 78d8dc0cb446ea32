#!/bin/bash
# The programs have one thread each, also while they are at work: that is why nothing in them is
# locked, and why ThreadSanitizer has nothing to look at. If this fails, that has to change first.
. "$SOURCE_DIR/tests/support/psp.sh"

tasks() {
    find "/proc/$1/task" -mindepth 1 -maxdepth 1 | wc -l
}

psp_start --quiet
[ "$(tasks "$psp_pid")" = 1 ] || fail "mockpsp starts with $(tasks "$psp_pid") threads"
psp_charge order_1 key_1 >/dev/null
[ "$(tasks "$psp_pid")" = 1 ] || fail "mockpsp has $(tasks "$psp_pid") threads after a request"
psp_stop

# The harness, its worker and the provider it forks, seen from inside the client that they drive.
cat >"$scratch/client.sh" <<'CLIENT'
#!/bin/sh
for pid in $PPID $(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$PPID/status"); do
    ls "/proc/$pid/task" | wc -l
done >>"$SEEN"
for pid in $(cat "/proc/$PPID/task/$PPID/children"); do
    [ "$pid" = $$ ] || ls "/proc/$pid/task" | wc -l >>"$SEEN"
done
exit 1
CLIENT
chmod +x "$scratch/client.sh"
SEEN=$scratch/seen "$PSP_HARNESS" run "$SOURCE_DIR/scenarios/a00_everything_works.lua" -- \
    "$scratch/client.sh" >/dev/null 2>&1 || true
[ "$(wc -l <"$scratch/seen")" -ge 3 ] || fail "saw no harness, worker and provider: $(cat "$scratch/seen")"
[ "$(sort -u "$scratch/seen")" = 1 ] || fail "threads per process: $(tr '\n' ' ' <"$scratch/seen")"
