import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import {
	claimNotice,
	finishNotice,
	NOTICE_SCHEDULE_SECONDS,
	noticeAfterFailure,
} from '../../../shared/domain/notices/team-notice.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { MissedCallsNotice, TeamMessage } from '../../../shared/ports/team-notifier.ts';
import { missedCallsMail } from '../../../shared/presentation/missed-calls-mail.ts';
import { missedNoticeWrites } from '../../../shared/use-cases/notices/missed-call-notice.ts';
import { notifyTeam } from '../../../shared/use-cases/notices/notify-team.ts';
import { sweep } from '../../../shared/use-cases/retention/sweep.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { noHandover } from '../../support/no-handover.ts';
import { idOf, samples } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

const MINUTE_MS = 60_000;
const shopWorkspace: Workspace = {
	...samples.workspace,
	team: [{ id: 'm1', name: 'Ida', phone_masked: '+1******01' }],
};
/** The start of a window of ten minutes, in which missed calls are gathered. */
const START_MS = Date.parse('2026-11-23T10:00:00.000Z');

/** A shop whose team misses calls. The sweep runs each minute, and mails are kept with the times at which they were sent. */
function shop(changes: Partial<Workspace> = {}) {
	const store = memoryStore();
	const workspace: Workspace = { ...shopWorkspace, ...changes };
	const ready = store.commit([put('workspace', workspace, always)]);
	const now = { ms: START_MS };
	const mails: { readonly at_ms: number; readonly message: TeamMessage }[] = [];
	const notifier = {
		tell: async (message: TeamMessage) => {
			mails.push({ at_ms: now.ms, message });
			return { notified: 'sent' } as const;
		},
	};
	const asked: string[] = [];
	const queues = {
		send: async (_: string, messages: readonly { readonly message: object }[]) => {
			for (const { message } of messages) if ('notice_id' in message) asked.push(String(message.notice_id));
			return { sent: messages.length, failed: 0 };
		},
	};
	const deps = {
		store,
		queues,
		clock: { now: () => now.ms },
		ids: ulidIds,
		log: memoryLog().log,
		notifier,
		chat: notifier,
		vault: { openSecret: async () => 'https://chat.example/hook' },
		link_base_url: 'https://api.example/v1',
		schedule_seconds: NOTICE_SCHEDULE_SECONDS,
		planHandover: noHandover,
	};
	let calls = 0;
	/** Makes a call that the team does not answer, at the clock's current time. */
	async function miss(name: string): Promise<Call> {
		await ready;
		calls += 1;
		const [leg] = samples.call.legs;
		const item = {
			...samples.call,
			id: idOf(calls),
			number_hash: 'aGFzaA',
			version: 1,
			status: 'failed' as const,
			failure_reason: 'no_agent_answer' as const,
			visitor_name: name,
			created_at: new Date(now.ms).toISOString(),
			legs:
				leg === undefined
					? []
					: [{ ...leg, member: 'm1', member_name: 'Ida', dialed_at: new Date(now.ms).toISOString() }],
			due_at: null,
		};
		const notices = await missedNoticeWrites(item, now.ms, deps);
		await store.commit([put('call', item), ...notices]);
		return item;
	}
	/** Lets this many minutes pass. The sweep runs each minute. */
	async function pass(minutes: number): Promise<void> {
		for (let minute = 0; minute < minutes; minute += 1) {
			now.ms += MINUTE_MS;
			await sweep(deps);
			for (const notice_id of asked.splice(0)) await notifyTeam({ notice_id }, deps);
		}
	}
	const namesSent = () =>
		mails.map(({ message }) => ('calls' in message ? message.calls.map((call) => call.visitor_name) : []));
	return { store, now, deps, mails, miss, pass, namesSent };
}

describe('calls that the team did not answer', () => {
	it('are announced together, at most once in ten minutes', async () => {
		const { miss, pass, namesSent, mails } = shop();
		await miss('Ada');
		await pass(3);
		await miss('Grace');
		await pass(8);
		await miss('Edsger');
		await pass(30);
		expect(namesSent()).toEqual([['Ada', 'Grace'], ['Edsger']]);
		const [first, second] = mails.map(({ at_ms }) => at_ms);
		expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE_MS);
	});

	it('join the next message if another message is being sent, and no call is lost', async () => {
		const { store, miss, pass, namesSent, now, deps } = shop();
		await miss('Ada');
		const id = `missed#${samples.workspace.id}#${Math.floor(START_MS / 600_000)}#mail`;
		now.ms += 9.99 * MINUTE_MS;
		// These writes are prepared before a worker claims the notice, and are committed after the claim. The store refuses them, so
		// the service prepares them again.
		const late = await missedNoticeWrites({ id: idOf(9), workspace_id: samples.workspace.id }, now.ms, deps);
		now.ms += MINUTE_MS;
		await notifyTeam({ notice_id: id }, deps);
		expect((await store.commit(late)).committed).toBe(false);
		await miss('Grace');
		await pass(30);
		expect(namesSent()).toEqual([['Ada'], ['Grace']]);
	});

	it('never join a message that a function is sending, has sent, or tries again', async () => {
		const { store, miss, deps, now } = shop();
		await miss('Ada');
		const id = `missed#${samples.workspace.id}#${Math.floor(START_MS / 600_000)}#mail`;
		const waiting = await store.get('team_notice', { id });
		if (waiting === null) throw new Error('no notice');
		const claimed = claimNotice(waiting, now.ms);
		const late = async (before: typeof waiting, stored: typeof waiting) => {
			await store.commit([put('team_notice', stored, { if: 'version', version: before.version })]);
			const writes = await missedNoticeWrites({ id: idOf(9), workspace_id: samples.workspace.id }, now.ms, deps);
			return (await store.commit(writes)).committed;
		};
		expect(await late(waiting, claimed)).toBe(false);
		const again = noticeAfterFailure(claimed, now.ms, NOTICE_SCHEDULE_SECONDS);
		expect(await late(claimed, again)).toBe(false);
		const sent = finishNotice({ ...again, attempt_count: 0 }, 'sent');
		expect(await late(again, sent)).toBe(false);
	});

	it('are announced by chat too, and not at all if the workspace has switched this off or has no channel', async () => {
		const chat = shop({ team_webhook: { origin: 'https://chat.example', sealed: 'x' } });
		await chat.miss('Ada');
		await chat.pass(12);
		expect(chat.namesSent()).toEqual([['Ada'], ['Ada']]);
		for (const changes of [{ tells_missed_calls: false }, { team_email: null }]) {
			const silent = shop(changes);
			await silent.miss('Ada');
			await silent.pass(12);
			expect(silent.namesSent()).toEqual([]);
		}
	});

	it('are announced only by the channels that the team has chosen', async () => {
		const both = { team_webhook: { origin: 'https://chat.example', sealed: 'x' } };
		for (const [missed_calls_to, channels] of [
			[['mail'], ['mail']],
			[['chat'], ['chat']],
			[
				['mail', 'chat'],
				['mail', 'chat'],
			],
			[[], []],
		] as const) {
			const { now, deps } = shop({ ...both, missed_calls_to });
			const writes = await missedNoticeWrites({ id: idOf(9), workspace_id: samples.workspace.id }, now.ms, deps);
			expect(writes.map((write) => 'item' in write && 'channel' in write.item && write.item.channel)).toEqual(channels);
		}
	});

	it('are announced with a link if a person of the desk may call back: to the page of the call, or to *Today* if there are several calls', async () => {
		const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' } as const;
		const invited_at = '2026-11-22T10:00:00.000Z';
		const DESK = 'https://api.example/v1/desk/pages';
		for (const [desk, names, url] of [
			[[person], ['Ada'], `${DESK}/calls?id=${idOf(1)}`],
			[[{ ...person, role: 'member' }], ['Ada', 'Grace'], `${DESK}/today`],
			[[], ['Ada'], null],
			[[{ ...person, role: 'developer' }], ['Ada'], null],
			[[{ ...person, invited_at }], ['Ada'], null],
		] as const) {
			const { miss, pass, mails } = shop({ desk });
			for (const name of names) await miss(name);
			await pass(12);
			const { message } = mails[0] ?? {};
			if (message === undefined || !('calls' in message)) throw new Error('no mail');
			const { text, html } = missedCallsMail(message);
			expect([message.desk_url, text.includes('/desk/'), html.includes('/desk/')]).toEqual([
				url,
				url !== null,
				url !== null,
			]);
			if (url === null) continue;
			expect(text).toContain(`Call back on the desk:\n${url}\n`);
			expect(html).toMatch(
				new RegExp(`<a href="${url.replace('?', '\\?')}" ses:no-track [^>]*>Call back on the desk</a>`),
			);
		}
	});

	it('are named, up to 20; further calls are only counted', async () => {
		const { miss, pass, mails } = shop();
		for (let call = 0; call < 23; call += 1) await miss(`V${call}`);
		await pass(12);
		const [mail] = mails;
		if (mail === undefined || !('calls' in mail.message)) throw new Error('no mail');
		expect([mail.message.calls.length, mail.message.more]).toEqual([20, 3]);
		const { subject, text } = missedCallsMail(mail.message);
		expect(subject).toBe('Missed calls: 23');
		expect(text).toContain('And 3 more.');
	});
});

describe('a person who is erased before the message is sent', () => {
	it('is missing from the message; the other people are in it, and if there are none, no message is sent', async () => {
		for (const others of [[], ['Grace']]) {
			const { store, miss, pass, namesSent } = shop();
			const { number_hash: _hash, ...ada } = await miss('Ada');
			for (const name of others) await miss(name);
			const item = { ...ada, version: 2, event_count: 1, timer_at: null, due_at: null, visitor_name: null };
			await store.commit([put('call', item, always)]);
			await pass(12);
			expect(namesSent()).toEqual(others.length === 0 ? [] : [others]);
		}
	});
});

describe('the message', () => {
	const notice = (changes: Partial<MissedCallsNotice['calls'][number]> = {}): MissedCallsNotice => ({
		to: 'team@shop.example',
		workspace_name: 'Shop',
		locale: { language: 'de', time_zone: 'Europe/Berlin' },
		calls: [
			{ ...samples.call, visitor_name: 'Ada', created_at: '2026-11-23T10:00:00.000Z', rung: ['Ida'], ...changes },
		],
		more: 0,
		desk_url: null,
	});

	it('says who called, from which page, when, and which members were rung, in the team’s language', () => {
		const { subject, text } = missedCallsMail(notice({ reference: 'order-4711' }));
		expect(subject).toBe('Verpasste Anrufe: 1');
		for (const part of ['Ada', '23. November 2026 um 11:00', samples.call.source_url, 'order-4711', 'Angerufen: Ida']) {
			expect(text).toContain(part);
		}
	});

	it('shows markup and links of a visitor as plain text', () => {
		const { html, text } = missedCallsMail(notice({ visitor_name: '<b>@channel</b> http://evil.example' }));
		expect(html).not.toMatch(/<b>|@channel|http:\/\/evil/);
		expect(text).not.toMatch(/@channel|http:\/\/evil/);
	});
});
