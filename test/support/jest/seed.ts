/**
 * The seed of every random input of a run: properties, simulations, hostile requests. `npm test` always uses the same one,
 * so that only a change decides whether it passes; `SEED=7 npm test` uses another, or repeats a failing one.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_122);
if (!Number.isInteger(SEED)) throw new Error('SEED: an integer');
