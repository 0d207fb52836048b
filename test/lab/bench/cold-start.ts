import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { operatorDeps, readOperatorEnv } from '../../../ops/connect.ts';
import { functionStandIns } from '../../support/aws/function-stand-ins.ts';
import { deployedBundles } from '../../support/stack/builds.ts';
import { newCustomer } from '../../support/webhooks/customers.ts';
import { bundledPeer } from './child.ts';
import { fictionalNumbers } from './fictional-numbers.ts';
import { gatewayEvent } from './gateway-event.ts';
import { median, ms, ratioOf, row, type Section, type Size } from './row.ts';

const repetitions: Readonly<Record<Size, number>> = { full: 21, quick: 1 };
const peers = ['usual', 'ours'] as const;
type Peer = (typeof peers)[number];
/** The flags with which Lambda starts Node.js, except those for memory. */
const FLAGS = ['--expose-gc', '--max-http-header-size=81920'];

/** The program of a new process: it loads the bundle, responds to one request, and prints the processor time until then. */
const RUNNER = `const { handler } = require(process.argv[1]);
Promise.resolve(handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 10000 }))
	.then(({ statusCode }) => {
		const { user, system } = process.cpuUsage();
		process.stdout.write(statusCode + ' after ' + (user + system) + ' us');
	});`;

/**
 * Measures from the start of a process to the first response of `POST /widget/call-requests`, for our function and for the
 * function of the usual stack.
 */
export const coldStart: Section = {
	name: 'cold-start',
	async run(size) {
		const { env, stop } = await functionStandIns();
		const times: Record<Peer, FirstAnswer[]> = { usual: [], ours: [] };
		try {
			const operator = readOperatorEnv({ ...env, NUMBER_KEY_ID: env.SEALING_KEY_ID });
			const customer = await newCustomer(await operatorDeps(operator));
			const folders = { usual: await bundledPeer('usual'), ours: join(await deployedBundles(), 'request-call') };
			const phones = fictionalNumbers(peers.length * (repetitions[size] + 1)).values();
			for (let n = 0; n <= repetitions[size]; n += 1) {
				for (const peer of peers) {
					const event = gatewayEvent(customer, phones.next().value ?? '');
					const took = await firstAnswer(join(folders[peer], 'index.js'), event, env);
					// The first run of each side is not counted, because it fills the disk's cache.
					if (n > 0) times[peer].push(took);
				}
			}
		} finally {
			await stop();
		}
		const middle = (peer: Peer, of: keyof FirstAnswer): number => median(times[peer].map((took) => took[of]));
		const ratio = (of: keyof FirstAnswer): string => ratioOf(middle('ours', of), middle('usual', of));
		const measured = (peer: Peer): string => `${ms(middle(peer, 'took_ms'))}, processor ${ms(middle(peer, 'cpu_ms'))}`;
		const both = `${measured('ours')} (usual stack ${measured('usual')})`;
		const what = 'cold start to first answer of POST /widget/call-requests';
		return [row(what, 'ratio <= 0.65', both, `${ratio('took_ms')}, ${ratio('cpu_ms')}`)];
	},
};

type FirstAnswer = { readonly took_ms: number; readonly cpu_ms: number };

async function firstAnswer(file: string, event: object, env: NodeJS.ProcessEnv): Promise<FirstAnswer> {
	const started = performance.now();
	const child = spawn(process.execPath, [...FLAGS, '-e', RUNNER, file, JSON.stringify(event)], {
		env: { ...env, TELEPHONY_PROVIDER: 'simulator' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	let answered: FirstAnswer | null = null;
	child.stdout.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
		// Our function writes its log line to the same output before it responds.
		const cpuUs = /202 after (\d+) us$/.exec(said)?.[1];
		if (cpuUs === undefined) return;
		answered = { took_ms: performance.now() - started, cpu_ms: Number(cpuUs) / 1000 };
		child.kill();
	});
	await once(child, 'close');
	if (answered === null) throw new Error(`${file} answered ${said.slice(0, 300)}`);
	return answered;
}
