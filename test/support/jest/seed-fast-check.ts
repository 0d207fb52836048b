import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

// Every property of a run uses its seed. A mutant needs one input that kills it, not the smallest one.

configureGlobal({ seed: SEED, endOnFailure: process.env['__STRYKER_ACTIVE_MUTANT__'] !== undefined });
