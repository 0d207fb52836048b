import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CallLine, callLines } from '../../../ops/evidence/call-lines.ts';
import { evidenceOf } from '../../../ops/evidence/collect.ts';
import { Evidence, type Step } from '../../../ops/evidence/evidence-file.ts';
import { replay } from '../../../ops/evidence/replay.ts';
import type { CallInput } from '../../../shared/domain/calls/call-input.ts';
import { saidOf } from '../../../shared/domain/calls/call-input.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { at, callAfter, changesAfter, dial, dialsVisitor, legOf, report } from '../../support/calls/call-after.ts';
import { type History, providerHistories, SOURCES } from '../../support/calls/provider-histories.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const named = providerHistories.map((each) => [each.name, each] as const);

/** The evidence as it would have been written, had we decided then as today. */
function asDecided({ evidence }: History): Evidence {
	return Evidence.parse({ ...evidence, call: { ...evidence.call, ...replay(evidence).call } });
}
const outcomeOf = ({ call: { status, failure_reason, duration_seconds } }: ReturnType<typeof replay>) => {
	return { status, failure_reason, duration_seconds };
};

describe('the history of a provider', () => {
	it('has a source, at least ten times from Twilio', () => {
		expect(providerHistories.filter(({ evidence }) => evidence.provider === 'twilio').length).toBeGreaterThanOrEqual(
			10,
		);
		const used = new Set(providerHistories.flatMap(({ sources }) => sources));
		expect([...used].sort()).toEqual(Object.keys(SOURCES).sort());
	});

	it.each(named)('%s: replays to its outcome, and agrees with the provider', (_, history) => {
		const evidence = asDecided(history);
		const replayed = replay(evidence);
		expect(outcomeOf(replayed)).toEqual(history.outcome);
		expect(replayed).toMatchObject({ differs: [], disagrees: [] });
	});
});

type Fate = { readonly lost: boolean; readonly copies: number; readonly delay_s: number };
const fate = fc.record({
	lost: fc.boolean(),
	copies: fc.integer({ min: 1, max: 3 }),
	delay_s: fc.integer({ min: 0, max: 30 }),
});
const TERMINAL = new Set(['completed', 'busy', 'no-answer', 'canceled', 'failed']);

/** The steps as they could also have come: callbacks late, repeated, or lost. What made us ring somebody came when it came. */
function retold(steps: readonly Step[], fates: readonly Fate[]): readonly Step[] {
	return steps
		.flatMap((step, index) => {
			const { lost, copies, delay_s } = fates[index % fates.length] ?? { lost: false, copies: 1, delay_s: 0 };
			const rang = steps[index + 1]?.step === 'dialing';
			if (step.step !== 'callback' || step.asks || rang) return [step];
			if (lost && !TERMINAL.has(step.said['CallStatus'] ?? '')) return [];
			return Array.from({ length: copies }, (_, copy): Step => {
				const late_ms = copy * delay_s * 1000 + (index % 2) * delay_s * 1000;
				return { ...step, at: new Date(Date.parse(step.at) + late_ms).toISOString() };
			});
		})
		.sort((a, b) => a.at.localeCompare(b.at));
}

describe('the evidence of a call', () => {
	it('replays to the same outcome with callbacks that are late, repeated or lost', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...providerHistories),
				fc.array(fate, { minLength: 1, maxLength: 8 }),
				({ evidence, outcome }, fates) => {
					const replayed = outcomeOf(replay({ ...evidence, steps: [...retold(evidence.steps, fates)] }));
					const { duration_seconds, ...rest } = outcome;
					expect(replayed).toMatchObject(rest);
					expect(Math.abs((replayed.duration_seconds ?? -9) - (duration_seconds ?? 0))).toBeLessThanOrEqual(1);
				},
			),
			{ numRuns: 400 },
		);
	});

	it.each(named)('%s: says so when one final callback is altered', (_, history) => {
		const evidence = asDecided(history);
		for (const [index, step] of evidence.steps.entries()) {
			if (step.step !== 'callback' || !TERMINAL.has(step.said['CallStatus'] ?? '')) continue;
			// A machine that has answered has ended the leg for us.
			if (step.said['AnsweredBy']?.startsWith('machine')) continue;
			const said = { ...step.said, CallStatus: step.said['CallStatus'] === 'failed' ? 'completed' : 'failed' };
			const altered = { ...said, SipResponseCode: '404', SipHangupCause: '404', ErrorMessage: '' };
			const steps = evidence.steps.with(index, { ...step, said: altered });
			const { differs, disagrees } = replay({ ...evidence, steps });
			expect([...differs, ...disagrees]).not.toEqual([]);
		}
	});

	it('says what the provider left out, and when it joined people whom we say it did not', () => {
		const [first, , , busy] = providerHistories.map(asDecided);
		if (first === undefined || busy === undefined) throw new Error('no history');
		const unended = { ...first, steps: first.steps.slice(0, -1) };
		expect(replay(unended).disagrees).toEqual(['the provider has not said that the leg of member m1 ended']);
		const wrong = { ...first, call: { ...first.call, status: 'failed' as const, duration_seconds: 0 } };
		expect(replay(wrong).differs).toEqual([
			'call: status was failed, today completed',
			'call: duration_seconds was 0, today 30',
		]);
		expect(replay(wrong).disagrees).toEqual(["we say failed after 0 s; the provider's reports give 30 s of talk"]);
		const joined = { ...busy, call: { ...busy.call, status: 'completed' as const } };
		expect(replay(joined).disagrees).toEqual(['we say completed; the provider connected no two people']);
	});
});

describe('reports whose handling overlapped', () => {
	const lineOf = (input: CallInput, timestamp: string, { id: call_id, version }: CallRecord): CallLine => {
		if (input.input !== 'leg_fact' && input.input !== 'dialing') throw new Error(`no line of ${input.input}`);
		const { leg_id } = input;
		const line = { timestamp, call_id, leg_id, version, operation: 'receive-leg-callback', outcome: '', code: '' };
		return input.input === 'dialing'
			? { ...line, fact: 'dialing', said: '' }
			: { ...line, fact: 'callback', said: saidOf(input.fact) };
	};

	it('replay in the order in which they were written, whichever was logged first', () => {
		const steps = [
			dial(0, 0),
			report(5, 0, 'answered'),
			report(10, 0, 'accepted'),
			dial(10.1, 'visitor'),
			report(15, 'visitor', 'answered'),
			report(15.1, 0, 'completed'),
			report(15.2, 'visitor', 'completed'),
		];
		const logged_s = [0, 5, 10.2, 10.1, 15.3, 15.2, 15.25];
		const records = changesAfter(steps).map(({ call }) => call);
		const lines = steps.flatMap(([, input], n) => {
			const [before, after] = records.slice(n, n + 2);
			return before && after ? lineOf(input(before), at(logged_s[n] ?? 0), after) : [];
		});
		const call = callAfter(steps);
		const inTheLog = lines.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
		const evidence = evidenceOf(call, inTheLog, 'simulator');
		expect(replay(evidence)).toMatchObject({ call: { status: 'completed' }, differs: [], disagrees: [] });
	});
});

describe('what the log has about a call', () => {
	const record = callAfter(dialsVisitor);
	const { id } = record;
	const visitor = legOf(record, 'visitor');
	const line = (fact: string, more: object) => {
		return JSON.stringify({ timestamp: '2026-11-21T09:00:10.300Z', level: 'INFO', fact, call_id: id, ...more });
	};
	const lines = [
		line('dialing', { leg_id: visitor.id }),
		line('callback', {
			leg_id: visitor.id,
			operation: 'receive-leg-callback',
			said: 'CallSid=h1&CallStatus=busy',
		}),
		line('dial accepted', { leg_id: visitor.id, said: 'phone=h1' }),
		line('time passed', { said: 'speed=1' }),
		'not a line of ours',
		JSON.stringify({ timestamp: '2026-11-21T09:00:11.000Z', fact: 'callback', call_id: 'another', said: '' }),
	];
	const path = process.env['PATH'];
	const directory = temporaryDirectory('aws-cli-');
	afterAll(() => rmSync(directory, { recursive: true, force: true }));
	beforeEach(() => {
		// The AWS CLI: it prints these lines of the log group `calls`.
		const events = JSON.stringify({ events: lines.map((message) => ({ message })) });
		const script = `#!/bin/sh\nif [ "$4" != calls ]; then echo no such group >&2; exit 254; fi\necho "$@" > ${directory}/asked\ncat <<'END'\n${events}\nEND\n`;
		writeFileSync(join(directory, 'aws'), script);
		chmodSync(join(directory, 'aws'), 0o755);
		process.env['PATH'] = `${directory}${delimiter}${path}`;
	});
	afterEach(() => {
		process.env['PATH'] = path;
	});

	it('becomes its evidence, with stand-ins for the name, the page and the ids', async () => {
		const call = {
			...record,
			visitor_name: 'Ada 2 عمر Łukasz Ю',
			source_url: 'https://shop.example/a?b#c',
			reference: 'A-7',
		};
		const read = await callLines({ CALL_LOGS: 'calls' })(id, call.created_at);
		const evidence = evidenceOf(call, read, 'twilio');
		expect(evidence.call).toMatchObject({
			visitor_name: 'xxx 0 ااا xxxxxx ж',
			source_url: 'https://xxxx.xxxxxxx/x',
			reference: 'reference 1',
		});
		expect(evidence.steps).toEqual([
			expect.objectContaining({ step: 'dialing', who: 'visitor' }),
			expect.objectContaining({ step: 'callback', asks: false, said: { CallSid: 'phone 1', CallStatus: 'busy' } }),
			expect.objectContaining({ step: 'dial', outcome: 'accepted', said: { phone: 'phone 1' } }),
			expect.objectContaining({ step: 'time', speed: 1 }),
		]);
	});

	it('cannot be read where the outputs name no logs, or AWS refuses', async () => {
		await expect(callLines({})(id, record.created_at)).rejects.toThrow('deploy first');
		await expect(callLines({ CALL_LOGS: 'others' })(id, record.created_at)).rejects.toThrow(
			'the log others cannot be read',
		);
	});
});
