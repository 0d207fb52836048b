import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { close, listen } from '../../../local/http-server.ts';
import type { RingLogEntry } from '../../../local/phone-network/ring-log.ts';
import type { StackOverrides } from '../../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../../support/stack/api.ts';
import { testStack } from '../../support/stack/stack.ts';
import { bundledPeer, scratch } from './child.ts';
import { fictionalNumbers } from './fictional-numbers.ts';
import { median, ms, type Row, ratioOf, row, type Section, type Size } from './row.ts';

const sizes = { full: { stacks: 3, clicks: 10 }, quick: { stacks: 1, clicks: 1 } } as const satisfies Record<
	Size,
	object
>;
/** The pause between two clicks, so that the rest of the work for one call does not slow down the next click. */
const QUIET_MS = 1500;

/** Milliseconds from each click until the provider has the first dial. The functions are cold at the first click, then warm. */
type Times = readonly number[];

/**
 * Measures from a visitor's click to the first dial at the provider, on the local stack. It compares our functions with one
 * function of the usual stack (peers/usual.ts), which stores the call and dials in the same request.
 */
export const clickToDial: Section = {
	name: 'click-to-dial',
	async run(size) {
		const { stacks, clicks } = sizes[size];
		const [ours, inline]: [Times[], Times[]] = [[], []];
		while (ours.length < stacks) {
			ours.push(await timesOf(clicks, scratch(), {}, firstDialOf));
			inline.push(await inlineTimes(clicks));
		}
		const rowOf = (what: string, of: (times: Times) => Times): Row => {
			const us = median(ours.flatMap(of));
			const them = median(inline.flatMap(of));
			const measured = `${ms(us)} (usual stack that dials inline ${ms(them)})`;
			return row(`click to first dial, ${what}`, 'ratio <= 2', measured, ratioOf(us, them));
		};
		return [rowOf('warm', (times) => times.slice(1)), rowOf('all functions cold', (times) => times.slice(0, 1))];
	},
};

type Stack = Awaited<ReturnType<typeof testStack>>;

/** `dialedAt` returns the time at which the provider received the first dial of a call. */
async function timesOf(
	clicks: number,
	state_dir: string,
	overrides: StackOverrides,
	dialedAt: (stack: Stack, callId: string) => Promise<number>,
): Promise<Times> {
	const stack = await testStack({ speed: 1, state_dir }, overrides);
	const times: number[] = [];
	try {
		for (const phone of fictionalNumbers(clicks + 1)) {
			const clickedMs = Date.now();
			const request = { body: visitorBody(stack, { phone }), headers: { origin: stack.allowed_origin } };
			const { id } = (await call(stack.base_url, '/widget/call-requests', request)).json.data;
			await wait(QUIET_MS);
			times.push((await dialedAt(stack, id)) - clickedMs);
		}
	} finally {
		await stack.stop();
	}
	return times;
}

async function firstDialOf(stack: Stack, id: string): Promise<number> {
	return eventually('the first dial of a call', async () => {
		const entries: readonly RingLogEntry[] = await fromConsole(stack, '/phones');
		const dialed = entries.find(({ what, call_id }) => what === 'dialed' && call_id === id);
		return dialed === undefined ? null : Date.parse(dialed.at);
	});
}

async function inlineTimes(clicks: number): Promise<Times> {
	let dialedMs = 0;
	const provider = createServer((_, response) => {
		dialedMs = Date.now();
		response.end('{}');
	});
	const DIAL_URL = `http://127.0.0.1:${await listen(provider, 0)}`;
	const stateDir = scratch();
	const peer = await bundledPeer('usual');
	const alter: StackOverrides['alter'] = ({ Resources, ...template }) => {
		const all = Object.entries(Resources);
		const [id, ours] = all.find(([, { Metadata }]) => Metadata?.['function'] === 'request-call') ?? [];
		const [Ref] = all.find(([, { Type }]) => Type === 'AWS::DynamoDB::Table') ?? [];
		if (id === undefined || ours === undefined) throw new Error('the template has no function request-call');
		const Metadata = { ...ours.Metadata, 'aws:asset:path': relative(join(stateDir, 'cdk.out'), peer) };
		const Properties = { ...ours.Properties, Environment: { Variables: { TABLE_NAME: { Ref }, DIAL_URL } } };
		return { ...template, Resources: { ...Resources, [id]: { ...ours, Metadata, Properties } } };
	};
	try {
		return await timesOf(clicks, stateDir, { alter }, async () => dialedMs);
	} finally {
		await close(provider);
	}
}
