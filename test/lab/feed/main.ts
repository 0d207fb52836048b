import { parseArgs } from 'node:util';
import { isWhole, playFeed } from './simulation.ts';

// npm run lab -- feed --seed 1 --runs 10000

const { values } = parseArgs({
	options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '10000' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let events = 0;
let pages = 0;
const first = Number(values.seed);
const runs = Number(values.runs);
for (let seed = first; seed < first + runs; seed += 1) {
	for (const followed of await playFeed(seed)) {
		events += followed.got.length;
		pages += followed.pages;
		if (isWhole(followed)) continue;
		const { expected, got } = followed;
		say(`Broken in seed ${seed}: ${expected.length} events were committed, a reader got ${got.length}.`);
		say(`missed: ${expected.filter((id) => !got.includes(id)).join(' ')}`);
		say(`npm run lab -- feed --seed ${seed} --runs 1`);
		process.exitCode = 1;
	}
}
say(`${runs} seeds: readers got ${events} events on ${pages} pages`);
