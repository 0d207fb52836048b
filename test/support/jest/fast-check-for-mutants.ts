import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

// A mutant needs one input that kills it, not the smallest one.

configureGlobal({ seed: SEED, endOnFailure: true });
