/**
 * The seed of every random input: of property tests, simulations and hostile requests. `npm test` always uses the same seed, so
 * that only a change of the code decides whether it passes. `SEED=7 npm test` uses the seed 7, for example to repeat a failure.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_122);
if (!Number.isInteger(SEED)) throw new Error('SEED: an integer');
