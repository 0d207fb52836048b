import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { startGateway } from '../../local/gateway/gateway.ts';
import { close, listen } from '../../local/gateway/http-server.ts';
import { localFunction, slots } from '../../local/lambda/functions.ts';
import type { RingLogEntry } from '../../local/phone-network/ring-log.ts';
import { startStack } from '../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../../test/support/stack/api.ts';
import { STACK_OPTIONS } from '../../test/support/stack/stack.ts';
import { fictionalNumbers } from '../../test/torture/callers.ts';
import { scratch } from './child.ts';
import { median, ms, type Row, ratioOf, row, type Section, type Size } from './row.ts';

const sizes: Readonly<Record<Size, { readonly stacks: number; readonly clicks: number }>> = {
	full: { stacks: 3, clicks: 10 },
	quick: { stacks: 1, clicks: 1 },
};

/** The times of clicks, until the provider has the first dial: the first one with cold functions, then warm ones. */
type Clicks = { readonly cold: number; readonly warm: readonly number[] };

/** From a visitor's click to the first dial at the provider: the local stack, and a bare function behind the same gateway. */
export const clickToDial: Section = {
	name: 'click-to-dial',
	async run(size) {
		const { stacks, clicks } = sizes[size];
		const [ours, bare]: [Clicks[], Clicks[]] = [[], []];
		for (let n = 0; n < stacks; n += 1) {
			ours.push(await clicksOfStack(clicks));
			bare.push(await clicksOfBare(clicks));
		}
		const rowOf = (what: string, of: (each: Clicks) => readonly number[]): Row => {
			const [us, them] = [median(ours.flatMap(of)), median(bare.flatMap(of))];
			const measured = `${ms(us)} (bare handler that dials inline ${ms(them)})`;
			return row(`click to first dial, ${what}`, 'ratio <= 2', measured, ratioOf(us, them));
		};
		return [rowOf('warm', ({ warm }) => warm), rowOf('all functions cold', ({ cold }) => [cold])];
	},
};

async function timed(clicks: number, click: (phone: string) => Promise<number>): Promise<Clicks> {
	const all: number[] = [];
	for (const phone of fictionalNumbers(clicks + 1)) {
		const clicked_ms = Date.now();
		all.push((await click(phone)) - clicked_ms);
	}
	const [cold = Number.NaN, ...warm] = all;
	return { cold, warm };
}

async function clicksOfStack(clicks: number): Promise<Clicks> {
	const stack = await startStack({ ...STACK_OPTIONS, speed: 1, state_dir: scratch() });
	const headers = { origin: stack.allowed_origin };
	const click = async (phone: string): Promise<number> => {
		const request = { body: visitorBody(stack, { phone }), headers };
		const { json } = await call(stack.base_url, '/widget/call-requests', request);
		const dialed = await eventually('the call is dialled', async () => {
			const entries: readonly RingLogEntry[] = await fromConsole(stack, '/phones');
			return entries.find(({ what, call_id }) => what === 'dialed' && call_id === json.data.id) ?? null;
		});
		return Date.parse(dialed.at);
	};
	return timed(clicks, click).finally(stack.stop);
}

async function clicksOfBare(clicks: number): Promise<Clicks> {
	const directory = scratch();
	const entryPoints = [join(import.meta.dirname, 'peers/dial.ts')];
	await build({ entryPoints, outfile: join(directory, 'index.js'), bundle: true, platform: 'node', minify: true });
	let dialed_ms = 0;
	const provider = createServer((_, response) => {
		dialed_ms = Date.now();
		response.end('{}');
	});
	const DIAL_URL = `http://127.0.0.1:${await listen(provider, 0)}`;
	const resource = { id: 'Bare', properties: { Handler: 'index.handler' }, metadata: {} };
	const environment = { DIAL_URL };
	const options = { resource, directory, environment, log_directory: directory, concurrency: 1, shared: slots(1) };
	const target = localFunction(options);
	const gateway = await startGateway(0, [{ routeKey: '$default', target }]);
	const click = async (phone: string): Promise<number> => {
		await call(`http://127.0.0.1:${gateway.port}`, '/', { body: { phone } });
		return dialed_ms;
	};
	return timed(clicks, click).finally(() => Promise.all([gateway.close(), target.stop(), close(provider)]));
}
