// Stands for what a processor computes without letting the event loop go on, a PDF, an image: while
// it lasts no timer runs, and so nobody renews the job's lock.
export function renderReceipt(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
