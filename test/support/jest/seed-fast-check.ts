import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

// Every property of a run is tried under its seed.

configureGlobal({ seed: SEED });
