import { createServer } from 'node:http';
import { startGateway } from '../../local/gateway/gateway.ts';
import { close, listen } from '../../local/gateway/http-server.ts';
import { localFunction, slots } from '../../local/lambda/functions.ts';
import type { RingLogEntry } from '../../local/phone-network/ring-log.ts';
import { call, eventually, fromConsole, visitorBody } from '../../test/support/stack/api.ts';
import { testStack } from '../../test/support/stack/stack.ts';
import { fictionalNumbers } from '../../test/torture/callers.ts';
import { bundledPeer, scratch } from './child.ts';
import { median, ms, type Row, ratioOf, row, type Section, type Size } from './row.ts';

const sizes = { full: { stacks: 3, clicks: 10 }, quick: { stacks: 1, clicks: 1 } } as const satisfies Record<
	Size,
	object
>;

/** The times of clicks, until the provider has the first dial: the first one with cold functions, then warm ones. */
type Times = readonly number[];

/** From a visitor's click to the first dial at the provider: the local stack, and a bare function behind the same gateway. */
export const clickToDial: Section = {
	name: 'click-to-dial',
	async run(size) {
		const { stacks, clicks } = sizes[size];
		const [ours, bare]: [Times[], Times[]] = [[], []];
		while (ours.length < stacks) {
			ours.push(await clicksOfStack(clicks));
			bare.push(await clicksOfBare(clicks));
		}
		const rowOf = (what: string, of: (times: Times) => Times): Row => {
			const [us, them] = [median(ours.flatMap(of)), median(bare.flatMap(of))];
			const measured = `${ms(us)} (bare handler that dials inline ${ms(them)})`;
			return row(`click to first dial, ${what}`, 'ratio <= 2', measured, ratioOf(us, them));
		};
		return [rowOf('warm', (times) => times.slice(1)), rowOf('all functions cold', (times) => times.slice(0, 1))];
	},
};

/** `click` returns when the provider had the dial. */
async function timed(clicks: number, click: (phone: string) => Promise<number>): Promise<Times> {
	const times: number[] = [];
	for (const phone of fictionalNumbers(clicks + 1)) {
		const clicked_ms = Date.now();
		times.push((await click(phone)) - clicked_ms);
	}
	return times;
}

async function clicksOfStack(clicks: number): Promise<Times> {
	const stack = await testStack({ speed: 1 });
	const click = async (phone: string): Promise<number> => {
		const request = { body: visitorBody(stack, { phone }), headers: { origin: stack.allowed_origin } };
		const { id } = (await call(stack.base_url, '/widget/call-requests', request)).json.data;
		return await eventually('the call is dialled', async () => {
			const entries: readonly RingLogEntry[] = await fromConsole(stack, '/phones');
			const dialed = entries.find(({ what, call_id }) => what === 'dialed' && call_id === id);
			return dialed === undefined ? null : Date.parse(dialed.at);
		});
	};
	return timed(clicks, click).finally(stack.stop);
}

async function clicksOfBare(clicks: number): Promise<Times> {
	let dialed_ms = 0;
	const provider = createServer((_, response) => {
		dialed_ms = Date.now();
		response.end('{}');
	});
	const environment = { DIAL_URL: `http://127.0.0.1:${await listen(provider, 0)}` };
	const resource = { id: 'Bare', properties: { Handler: 'index.handler' }, metadata: {} };
	const [directory, log_directory] = [await bundledPeer('dial'), scratch()];
	const target = localFunction({ resource, directory, environment, log_directory, concurrency: 1, shared: slots(1) });
	const gateway = await startGateway(0, [{ routeKey: '$default', target }]);
	const click = async (phone: string): Promise<number> => {
		await call(`http://127.0.0.1:${gateway.port}`, '/', { body: { phone } });
		return dialed_ms;
	};
	return timed(clicks, click).finally(() => Promise.all([gateway.close(), target.stop(), close(provider)]));
}
