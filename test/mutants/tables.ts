import { attemptGuards } from './attempts.ts';
import { callEngine } from './call-engine.ts';
import { deliveries } from './deliveries.ts';
import { edge } from './edge.ts';
import type { Mutant } from './mutant.ts';
import { targets } from './targets.ts';

/** Every guard that a test is known to watch. */
export const tables: readonly Mutant[] = [...callEngine, ...attemptGuards, ...deliveries, ...targets, ...edge];
