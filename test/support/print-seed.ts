import { SEED } from './seed.ts';

/** Before all tests of a run, by jest. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default function printSeed(): void {
	process.stderr.write(`seed ${SEED}; to run on the same inputs again: SEED=${SEED} npm test -- FILE\n`);
}
