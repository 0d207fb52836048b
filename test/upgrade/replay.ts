import { replaceParts } from './bench/hook.ts';
import { mutants } from './mutants.ts';

// Works on with the samples of a release: `node test/upgrade/replay.ts <release> <provider> [mutant]`. It writes one line of JSON: for
// each thing that it handed out, and for each step, how it differs from what the release did.

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
