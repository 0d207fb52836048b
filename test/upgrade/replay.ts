import { replaceParts } from './bench/hook.ts';
import { mutants } from './mutants.ts';

// Continues from the samples of a release with today's code: `node test/upgrade/replay.ts <release> <provider> [mutant]`. Writes
// one line of JSON, which says for each handed-out piece and for each step how today's result differs from the release's.

export type Replayed = readonly { readonly name: string; readonly differs: readonly string[] }[];

const [release = '', named = '', mutant_name] = process.argv.slice(2);
const mutant = mutants.find(({ name }) => name === mutant_name) ?? null;
if (mutant_name !== undefined && mutant === null) throw new Error(`there is no mutant "${mutant_name}"`);
replaceParts(mutant);
const { openBench } = await import('./bench/bench.ts');
const { differences, runStep } = await import('./run-steps.ts');
const { isIntended } = await import('./intended.ts');
const { storyOf } = await import('./samples.ts');
const { restProviders } = await import('./bench/providers.ts');
const { readHandedOut } = await import('./read-handed-out.ts');

const provider = restProviders.find((each) => each === named) ?? 'simulator';
const { state, steps } = storyOf(release, provider);
const bench = await openBench(state, 'after', provider);
const known = JSON.stringify([state, steps.map(({ step }) => step)]);
const replayed: { name: string; differs: readonly string[] }[] = [...handedOut()];
for (const { step, outcome } of steps) {
	const now = await runStep(bench, step).catch((error: unknown) => String(error));
	const differs = typeof now === 'string' ? [now] : differences(outcome, now, known);
	replayed.push({ name: step.name, differs: differs.filter((each) => !isIntended(step.name, each)) });
}
await bench.close();
process.stdout.write(`${JSON.stringify(replayed satisfies Replayed)}\n`);

function handedOut(): Replayed {
	try {
		return readHandedOut({ state, steps }, provider);
	} catch (error) {
		return [{ name: 'what was handed out is read', differs: [String(error)] }];
	}
}
