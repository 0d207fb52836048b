/**
 * To work on a record, a worker first claims the record, by storing in it the time at which the worker's lease ends. Until
 * then, no other process may work on the record. A lease is longer than an attempt can take. If the worker crashes, the
 * sweep gives the work to another worker after the lease has ended.
 */
export const LEASE_MS = 60_000;
