import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// npm run histories -- --count 1000000 [--seed N] The properties of a call (test/property, test/simulation) over the given
// number of histories, in rounds. Each prints its seed: to repeat a failure, pass --count and --seed of its round.

const { values } = parseArgs({
	options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
});
const count = Number(values.count);
const first = Number(values.seed ?? randomInt(2 ** 31 - 1));
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(first)) {
	console.error('npm run histories -- [--count 1000000] [--seed N]');
	process.exit(2);
}

/** `CALL_HISTORIES` of a round. A property takes its share of it, so that a round plays about ten times as many. */
const ROUND = Math.min(10_000, Math.ceil(count / 10));
const directory = mkdtempSync(join(tmpdir(), 'call-back-histories-'));
const started = Date.now();
let played = 0;

for (let round = 0; played < count; round += 1) {
	const seed = (first + round) % 2 ** 31;
	const counted = join(directory, `${round}`);
	const output: string[] = [];
	const child = spawn(
		process.execPath,
		[
			'--disable-warning=ExperimentalWarning',
			'node_modules/jest/bin/jest.js',
			'--runInBand',
			'--testTimeout=3600000',
			'test/property/calls',
			'test/simulation/calls',
		],
		{
			env: {
				...process.env,
				CALL_HISTORIES: String(ROUND),
				SEED: String(seed),
				CALL_HISTORIES_COUNTED: counted,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')));
	child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')));
	const [code] = await once(child, 'close');
	const counts = existsSync(counted) ? readFileSync(counted, 'utf8').trim().split('\n').map(Number) : [];
	played += counts.reduce((sum, each) => sum + each, 0);
	const minutes = ((Date.now() - started) / 60_000).toFixed(1);
	console.log(
		`seed ${seed}: ${played} of ${count} histories, ${minutes} minutes, ${code === 0 ? 'all hold' : 'FAILED'}`,
	);
	if (code !== 0) {
		console.error(output.join(''));
		console.error(`again: npm run histories -- --count ${ROUND * 10} --seed ${seed}`);
		process.exitCode = 1;
		break;
	}
}
rmSync(directory, { recursive: true, force: true });
