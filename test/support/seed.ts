/**
 * The seed of every random input of a run: properties, simulations, hostile requests. `npm test` always takes the same
 * one, so that a change alone decides whether it passes; `SEED=7 npm test` takes another, or a failing one again.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_122);
if (!Number.isInteger(SEED)) throw new Error('SEED: an integer');
