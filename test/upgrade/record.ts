import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceParts } from './bench/hook.ts';

// Runs this tree's code and writes samples into a folder: `node test/upgrade/record.ts <folder> [provider]`.
// test/upgrade/write.ts runs this file in the tree of any commit.

const [folder = '', named = 'simulator'] = process.argv.slice(2);
replaceParts(null);
const { openBench } = await import('./bench/bench.ts');
const { restProviders } = await import('./bench/providers.ts');
const { fillByProvider } = await import('./fill/by-provider.ts');
const { fill } = await import('./fill/fill.ts');
const { oneOfEach } = await import('./kinds.ts');
const { runStep } = await import('./run-steps.ts');
const { FIRST_DAY } = await import('./samples.ts');
const { present } = await import('./bench/parts.ts');
const { stepsAfter, stepsOfProvider } = await import('./steps.ts');

const provider = restProviders.find((each) => each === named) ?? 'simulator';
// Samples that are written again use the former keys, so that their hashes stay the same and a diff shows only what is new.
const bench = await openBench({ now_ms: FIRST_DAY, keys: keysIn(join(folder, 'state.json')) }, 'fill', provider);
const filled = provider === 'simulator' ? await fill(bench) : null;
const asked = provider === 'simulator' ? [] : await fillByProvider(bench, provider);
const state = await bench.state();
const sent = oneOfEach(bench.sent);
// Starts from the same situation as a replay: the stored state, and functions that remember nothing else.
Object.assign(present, { seed: 'after', drawn: { at_ms: 0, nth: 0 } });
const lines: string[] = [];
for (const step of filled === null ? stepsOfProvider(asked) : stepsAfter(filled, sent))
	lines.push(JSON.stringify({ step, outcome: await runStep(bench, step) }));
await bench.close();
const { items, ...others } = state;
mkdirSync(folder, { recursive: true });
const write = (name: string, text: string) => writeFileSync(join(folder, name), `${text}\n`);
write('items.jsonl', items.map((item) => JSON.stringify(item, inOrder)).join('\n'));
write('state.json', JSON.stringify(others, null, '\t'));
write('steps.jsonl', lines.join('\n'));
if (filled !== null) {
	// Imported here, because the compiler and the CDK take seconds to load.
	const { readShapes } = await import('./shapes.ts');
	const { sampleOf } = await import('./templates.ts');
	const { synthesise, withDomain } = await import('../infra/synthesised.ts');
	write('messages.jsonl', sent.map((message) => JSON.stringify(message)).join('\n'));
	write('shapes.json', JSON.stringify(readShapes(join(import.meta.dirname, '../..')), null, '\t'));
	write('template.json', JSON.stringify(sampleOf(await synthesise(withDomain)), null, '\t'));
}
process.stdout.write(`${JSON.stringify({ items: items.length, steps: lines.length })}\n`);

/** The keys of the samples that this folder already has; if it has none, new keys are made. */
function keysIn(file: string): Readonly<Record<string, string>> {
	if (!existsSync(file)) return {};
	return z.object({ keys: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync(file, 'utf8'))).keys;
}

/** Sorts the fields of objects, because the table's stand-in returns the fields of a map in any order. */
function inOrder(_: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
