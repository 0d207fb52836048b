/**
 * A worker that works on a record first claims the record: it writes into the record when its lease ends. Until then, no
 * other process may work on the record. A lease is longer than an attempt can take. If the worker crashes, the sweep gives
 * the work to another worker after the lease has ended.
 */
export const LEASE_MS = 60_000;
