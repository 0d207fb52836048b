/**
 * A worker claims a record by writing the end of its lease: until then no other process may work on it. Longer than an attempt
 * can take; after a crash, the sweep gives the work to another.
 */
export const LEASE_MS = 60_000;
