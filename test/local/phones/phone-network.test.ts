import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type PhoneNetwork, startPhoneNetwork } from '../../../local/phone-network/start.ts';
import { legPath, statusPath } from '../../../shared/adapters/telephony/provider-http.ts';
import {
	SIGNATURE_HEADER,
	signCallback,
	simulatorTelephony,
} from '../../../shared/adapters/telephony/simulator/simulator.ts';
import type { Instruction } from '../../../shared/domain/calls/instruction.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import type { DialRequest, ProviderRequest, Telephony } from '../../../shared/ports/telephony.ts';

const SPEED = 50;
const SECRET = 'a secret of the test network';
const clock = { now: () => Date.now() };
const numberEnding = (digits: string) => `+121255501${digits}`;
const rank = (fact: LegFact) => fact.rank;

/** A request to the stand-in for a stack. The stand-in asks the member to press 1, rings the visitor and connects both. */
type Heard = { readonly leg_id: string; readonly fact: LegFact; readonly route: string };
type Stack = {
	readonly base_url: string;
	readonly heard: Heard[];
	readonly requests: ProviderRequest[];
	readonly telephony: Telephony;
	/** The statuses with which the stack responds to the next requests, one for each. */
	readonly failures: number[];
	/** Replaces the instructions that the stack gives. */
	instruct: ((fact: LegFact, legId: string) => Instruction) | null;
	factsOf(legId: string): LegFact[];
	/** Resolves with the first request for which `fits` is true. */
	hears(fits: (heard: Heard) => boolean): Promise<Heard>;
	ended(legId: string): Promise<LegFact>;
};
const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
	for (const close of open.splice(0).reverse()) await close();
});

async function network(files?: { state_file: string; log_file: string }): Promise<PhoneNetwork> {
	const kept = files ?? { state_file: null, log_file: null };
	const started = await startPhoneNetwork({ speed: SPEED, secret: SECRET, ...kept });
	open.push(() => started.close());
	return started;
}

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const hasEnded = (phones: PhoneNetwork, leg: string): boolean =>
	phones.log().some(({ what, leg_id }) => what === 'ended' && leg_id === leg);

/** A phone network in a separate process, so that the test can kill it. */
async function networkProcess(files: { state_file: string; log_file: string }) {
	const module = join(import.meta.dirname, '../../../local/phone-network/start.ts');
	const options = { speed: SPEED, secret: SECRET, ...files };
	const code = `import { startPhoneNetwork } from ${JSON.stringify(module)};
		console.log((await startPhoneNetwork(${JSON.stringify(options)})).url);`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
	const over = new Promise((resolve) => child.once('exit', resolve));
	const kill = async () => {
		child.kill('SIGKILL');
		await over;
	};
	open.push(kill);
	const url = await new Promise<string>((resolve) => child.stdout.once('data', (line) => resolve(String(line).trim())));
	return { url, kill };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

async function stackOn(phones: Pick<PhoneNetwork, 'url'>): Promise<Stack> {
	const waiting: { fits: (heard: Heard) => boolean; resolve: (heard: Heard) => void }[] = [];
	const server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	open.push(() => {
		server.closeAllConnections();
		server.close();
	});
	const base_url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
	const telephony = simulatorTelephony({ url: phones.url, secret: SECRET, public_base_url: base_url, clock });
	const stack: Stack = {
		base_url,
		heard: [],
		requests: [],
		telephony,
		failures: [],
		instruct: null,
		factsOf: (legId) => stack.heard.filter((heard) => heard.leg_id === legId).map((heard) => heard.fact),
		hears(fits) {
			const already = stack.heard.find(fits);
			return already ? Promise.resolve(already) : new Promise((resolve) => waiting.push({ fits, resolve }));
		},
		async ended(legId) {
			return (await stack.hears((heard) => heard.leg_id === legId && heard.fact.rank === 'ended')).fact;
		},
	};
	const usual = (fact: LegFact, legId: string): Instruction => {
		if (legId.startsWith('visitor')) return { instruct: 'join' };
		if (fact.rank === 'accepted') return { instruct: 'wait', say: { language: 'de', text: 'Einen Moment, bitte.' } };
		return { instruct: 'screen', say: { language: 'de', text: 'Drücken Sie die 1.' }, prompt_seconds: 8 };
	};
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = (request.url ?? '').slice('/v1'.length);
		const [, , call_id = '', address = '', route = ''] = path.split('/');
		const [leg_id = '', leg_mac = ''] = address.split('.');
		const raw_body = await bodyOf(request);
		const failure = stack.failures.shift();
		if (failure !== undefined) {
			response.writeHead(failure).end();
			return;
		}
		const headers = request.headers as Record<string, string>;
		const asked = { call_id, leg_id, leg_mac, path, headers, raw_body };
		stack.requests.push(asked);
		const received = await telephony.receive(asked);
		if (received.received !== 'fact') {
			response.writeHead(403).end();
			return;
		}
		const heard = { leg_id, fact: received.fact, route };
		stack.heard.push(heard);
		for (const waiter of waiting) if (waiter.fits(heard)) waiter.resolve(heard);
		if (route === 'status') {
			response.writeHead(204).end();
			return;
		}
		const instruction = (stack.instruct ?? usual)(received.fact, leg_id);
		const { content_type, body } = telephony.render(instruction, { call_id, path });
		response.writeHead(200, { 'content-type': content_type }).end(body);
	}
	return stack;
}

function dialing(to: string, changes: Partial<DialRequest> = {}): DialRequest {
	return {
		call_id: 'call',
		leg_id: 'visitor',
		role: 'visitor',
		to,
		from: null,
		ring_seconds: 30,
		tells_ringing: true,
		...changes,
	};
}
const toAgent = (digits: string) => dialing(numberEnding(digits), { leg_id: 'agent', role: 'agent', ring_seconds: 20 });

async function dialed(telephony: Telephony, request: DialRequest): Promise<string> {
	const outcome = await telephony.dial(request);
	if (outcome.dial !== 'accepted' || outcome.provider_id === null) throw new Error(`not accepted: ${outcome.dial}`);
	return outcome.provider_id;
}

async function together(): Promise<{ phones: PhoneNetwork; stack: Stack }> {
	const phones = await network();
	return { phones, stack: await stackOn(phones) };
}

describe('a call on the simulated network', () => {
	it('rings the team member, who presses 1; then the visitor, who talks and hangs up; then the other leg ends', async () => {
		const { phones, stack } = await together();
		await dialed(stack.telephony, toAgent('01'));
		await stack.hears(({ fact }) => fact.rank === 'accepted');
		await dialed(stack.telephony, dialing(numberEnding('01')));

		const visitor = await stack.ended('visitor');
		const agent = await stack.ended('agent');
		expect(visitor).toMatchObject({ cause: 'completed', accepted_at: null });
		expect(agent).toMatchObject({ cause: 'completed', accepted_at: expect.any(String) });
		expect(Date.parse(visitor.at) - Date.parse(visitor.answered_at ?? '')).toBeGreaterThanOrEqual(6000 / SPEED - 1);
		const whats = (legId: string) =>
			phones
				.log()
				.filter((entry) => entry.leg_id === legId)
				.map(({ what }) => what);
		expect(whats('agent')).toEqual(['dialed', 'ringing', 'answered', 'hears', 'accepted', 'hears', 'joined', 'ended']);
		expect(whats('visitor')).toEqual(['dialed', 'ringing', 'answered', 'joined', 'ended']);
	});

	it('to a number that ends in 10 lasts until one side is hung up, and then ends for the other side, too', async () => {
		const { phones, stack } = await together();
		await dialed(stack.telephony, toAgent('01'));
		const visitor = await dialed(stack.telephony, dialing(numberEnding('10')));
		await stack.hears(({ fact, leg_id }) => leg_id === 'agent' && fact.rank === 'accepted');
		await until(() => phones.log().filter(({ what }) => what === 'joined').length === 2);
		expect(await stack.telephony.hangup(visitor)).toEqual({ hangup: 'done' });
		expect(await stack.ended('visitor')).toMatchObject({ cause: 'hung_up' });
		expect(await stack.telephony.hangup(visitor)).toEqual({ hangup: 'already_over' });
		expect(await stack.telephony.hangup('SIM0')).toEqual({ hangup: 'already_over' });
		await stack.ended('agent');
		expect(phones.log().filter(({ what, leg_id }) => what === 'ended' && leg_id === 'visitor')).toHaveLength(1);
		expect(await stack.telephony.lookup('visitor', visitor)).toMatchObject({ fact: { cause: 'hung_up' } });
	});

	it.each(['11', '12'])('is ended by the team member when the number ends in %s', async (digits) => {
		const { stack } = await together();
		await dialed(stack.telephony, toAgent(digits));
		await stack.hears(({ fact }) => fact.rank === 'accepted');
		if (digits === '11') await dialed(stack.telephony, dialing(numberEnding('10')));
		expect(await stack.ended('agent')).toMatchObject({ cause: 'completed' });
		if (digits === '11') expect(await stack.ended('visitor')).toMatchObject({ cause: 'completed' });
	});

	it.each(['05', '13'])('has a team member who never presses 1 when the number ends in %s', async (digits) => {
		const { stack } = await together();
		await dialed(stack.telephony, toAgent(digits));
		expect(await stack.ended('agent')).toMatchObject({ cause: 'completed', accepted_at: null });
	});

	it('ends when the stack hangs up', async () => {
		const { stack } = await together();
		stack.instruct = () => ({ instruct: 'hang_up' });
		await dialed(stack.telephony, dialing(numberEnding('01')));
		expect(await stack.ended('visitor')).toMatchObject({ cause: 'hung_up' });
	});
});

describe('a number of the simulated network', () => {
	it('that no numbering plan reserves for fiction is not in service, whatever its last digits', async () => {
		const { stack } = await together();
		await dialed(stack.telephony, dialing('+12125552301'));
		expect(await stack.ended('visitor')).toMatchObject({ cause: 'unreachable' });
	});

	it.each(['+442079460001', '+447700900001', '+61255500001', '+33199000001', '+493023125001'])(
		'%s follows its script, too',
		async (to) => {
			const { stack } = await together();
			await dialed(stack.telephony, dialing(to));
			await stack.hears(({ fact }) => fact.rank === 'answered');
		},
	);

	it('ending in 07 rings although the provider answers 500', async () => {
		const { phones, stack } = await together();
		expect(await stack.telephony.dial(dialing(numberEnding('07')))).toEqual({ dial: 'unclear', code: 'http_500' });
		const { fact } = await stack.hears(({ fact }) => fact.rank === 'answered');
		expect(fact.provider_id).toMatch(/^SIM/);
		expect(phones.dials()).toMatchObject([{ leg_id: 'visitor', times: 1 }]);
	});

	it('ending in 08 sends every callback twice and in reverse order, each with the full state', async () => {
		const { stack } = await together();
		await dialed(stack.telephony, toAgent('01'));
		await dialed(stack.telephony, dialing(numberEnding('08')));
		await stack.hears(({ fact, leg_id }) => leg_id === 'visitor' && fact.rank === 'ringing');
		const callbacks = () => stack.heard.filter(({ leg_id, route }) => leg_id === 'visitor' && route === 'status');
		await until(() => callbacks().length >= 6);
		expect(callbacks().map(({ fact }) => fact.rank)).toEqual(
			['ended', 'answered', 'ringing'].flatMap((each) => [each, each]),
		);
		expect(callbacks()[0]?.fact).toMatchObject({ ringing_at: expect.any(String), answered_at: expect.any(String) });
	});

	it('ending in 09 rings without callbacks, but can be looked up', async () => {
		const { phones, stack } = await together();
		await dialed(stack.telephony, dialing(numberEnding('09'), { ring_seconds: 2 }));
		await until(() => hasEnded(phones, 'visitor'));
		expect(stack.heard).toEqual([]);
		const found = await stack.telephony.lookup('visitor', null);
		expect(found).toMatchObject({ lookup: 'found', fact: { rank: 'ended', cause: 'no_answer' } });
	});

	it('ending in 14 is throttled the first time, and does not ring then', async () => {
		const { phones, stack } = await together();
		const again = { dial: 'throttled', retry_after_seconds: 1, code: 'http_429' };
		expect(await stack.telephony.dial(dialing(numberEnding('14')))).toEqual(again);
		expect(phones.dials()).toEqual([]);
		await dialed(stack.telephony, dialing(numberEnding('14')));
	});

	it('ending in 16 ends without a callback, and a look-up shows the end', async () => {
		const { phones, stack } = await together();
		await dialed(stack.telephony, toAgent('01'));
		await dialed(stack.telephony, dialing(numberEnding('16')));
		await stack.ended('agent');
		await until(() => hasEnded(phones, 'visitor'));
		expect(stack.factsOf('visitor').map(rank)).not.toContain('ended');
		const found = await stack.telephony.lookup('visitor', null);
		expect(found).toMatchObject({ lookup: 'found', fact: { rank: 'ended', cause: 'completed' } });
	});
});

describe('the stack and the network', () => {
	it('refuse a callback that was modified, that was sent to another leg, or that is too old', async () => {
		const { phones, stack } = await together();
		await dialed(stack.telephony, dialing(numberEnding('06')));
		await stack.ended('visitor');
		const [genuine] = stack.requests;
		if (genuine === undefined) throw new Error('nothing was sent');
		const forged = { received: 'forged' };
		const { telephony } = stack;
		expect(await telephony.receive(genuine)).toMatchObject({ received: 'fact', fact: { cause: 'unreachable' } });
		const changed = genuine.raw_body.replace('unreachable', 'busy');
		expect(await telephony.receive({ ...genuine, raw_body: changed })).toEqual(forged);
		const moved = genuine.path.replace('visitor', 'agent');
		expect(await telephony.receive({ ...genuine, path: moved })).toEqual(forged);
		expect(await telephony.receive({ ...genuine, headers: {} })).toEqual(forged);
		const settings = { url: phones.url, secret: SECRET, public_base_url: stack.base_url, clock };
		const late = simulatorTelephony({ ...settings, clock: { now: () => Date.now() + 301_000 } });
		expect(await late.receive(genuine)).toEqual(forged);
		const stranger = simulatorTelephony({ ...settings, secret: 'a secret of somebody else' });
		expect(await stranger.receive(genuine)).toEqual(forged);
		const refused = { dial: 'rejected', reason: 'provider_rejected', code: 'http_401' };
		expect(await stranger.dial(dialing(numberEnding('01')))).toEqual(refused);
		expect(phones.dials()).toHaveLength(1);
	});

	it('ignore an unknown state', async () => {
		const { stack } = await together();
		const leg = { call_id: 'call', leg_id: 'visitor' };
		const pathOfLeg = legPath(SECRET, leg);
		const path = statusPath(pathOfLeg);
		const times = { at: new Date().toISOString(), ringing_at: null, answered_at: null, accepted_at: null };
		const raw_body = JSON.stringify({ provider_id: 'SIM0', state: 'teleported', cause: null, ...times });
		const epochSeconds = Math.floor(Date.now() / 1000);
		const headers = { [SIGNATURE_HEADER]: signCallback(SECRET, epochSeconds, path, raw_body) };
		const request = { ...leg, leg_mac: pathOfLeg.split('.').at(-1) ?? '', path, headers, raw_body };
		expect(await stack.telephony.receive(request)).toEqual({ received: 'ignored', why: 'unknown_state', detail: '' });
	});

	it('recover after 5xx: the network repeats callbacks and requests for instructions', async () => {
		const { stack } = await together();
		stack.failures.push(500, 503, 502);
		await dialed(stack.telephony, toAgent('13'));
		expect(await stack.ended('agent')).toMatchObject({ cause: 'completed' });
		expect(new Set(stack.factsOf('agent').map(rank))).toEqual(new Set(['ringing', 'answered', 'ended']));
	});

	it('agree that a dial may be retried if the network was down, because it then did not process the dial', async () => {
		const phones = await network();
		const stack = await stackOn(phones);
		await phones.close();
		expect(await stack.telephony.dial(dialing(numberEnding('01')))).toMatchObject({ dial: 'throttled' });
		expect(await stack.telephony.lookup('visitor', null)).toEqual({ lookup: 'unclear' });
		expect(await stack.telephony.hangup('SIM0')).toEqual({ hangup: 'unclear', code: 'not_sent' });
	});

	it('continue after kill -9 in the middle of 50 calls: each leg ends and is reported, and no phone rings twice', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'phones-'));
		const files = { state_file: join(directory, 'legs.jsonl'), log_file: join(directory, 'log.jsonl') };
		const child = await networkProcess(files);
		const stack = await stackOn({ url: child.url });
		const calls = Array.from({ length: 50 }, (_, n) => `${n}`);
		for (const n of calls) {
			await dialed(stack.telephony, { ...toAgent('01'), call_id: n, leg_id: `agent-${n}` });
			await dialed(stack.telephony, dialing(numberEnding('01'), { call_id: n, leg_id: `visitor-${n}` }));
		}
		await stack.hears(({ fact }) => fact.rank === 'accepted');
		stack.failures.push(...Array.from({ length: 20 }, () => 503));
		await child.kill();

		const second = await network(files);
		for (const n of calls) {
			expect(await stack.ended(`visitor-${n}`)).toMatchObject({ answered_at: expect.any(String) });
			expect(await stack.ended(`agent-${n}`)).toMatchObject({ accepted_at: expect.any(String) });
		}
		expect(second.dials()).toHaveLength(100);
		expect(second.dials().every(({ times }) => times === 1)).toBe(true);
		const kept = readFileSync(files.state_file, 'utf8') + readFileSync(files.log_file, 'utf8');
		expect(kept).not.toContain('2125550101');
		expect(kept).toContain('+1********01');
	});

	it('forget a leg that has ended and was reported, in memory, in the state file and in the log', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'phones-'));
		const files = { state_file: join(folder, 'state.json'), log_file: join(folder, 'log.jsonl') };
		const phones = await network(files);
		const { telephony, ended } = await stackOn(phones);
		const kept = numberEnding('01');
		const forgotten = numberEnding('10');
		const other = await dialed(telephony, dialing(kept, { leg_id: 'visitor-kept', call_id: 'other' }));
		const id = await dialed(telephony, dialing(forgotten));
		expect(await telephony.erase(id)).toEqual({ erase: 'failed', code: 'http_409' });
		await telephony.hangup(id);
		await ended('visitor');
		let outcome = await telephony.erase(id);
		while (outcome.erase === 'failed') outcome = await telephony.erase(id);
		expect(outcome).toEqual({ erase: 'done' });
		expect(await telephony.erase(id)).toEqual({ erase: 'gone' });
		expect(await telephony.lookup('visitor', id)).toEqual({ lookup: 'missing' });
		const memory = JSON.stringify([phones.log(), phones.dials()]);
		const texts = [memory, ...Object.values(files).map((file) => readFileSync(file, 'utf8'))];
		for (const text of texts) {
			expect(text).toContain('visitor-kept');
			expect(text).not.toContain('"leg_id":"visitor"');
			expect(text).not.toContain(id);
		}
		expect(other).not.toBe(id);
	});
});
