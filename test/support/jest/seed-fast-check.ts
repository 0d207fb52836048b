import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

// All properties of a run use the same seed. In a mutation run, one failing input is enough, so fast-check does not look for the
// smallest failing input.

configureGlobal({ seed: SEED, endOnFailure: process.env['__STRYKER_ACTIVE_MUTANT__'] !== undefined });
