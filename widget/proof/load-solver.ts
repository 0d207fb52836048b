import { createLoader } from '../load-file.ts';

/** What solves a challenge, fetched when the service asks for work. */
export const { load: loadSolver } = createLoader<typeof import('./solve.ts')>(SOLVER, import.meta.url);
