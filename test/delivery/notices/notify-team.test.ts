import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { jsonLog } from '../../../shared/adapters/log.ts';
import { parseToken } from '../../../shared/domain/kernel/link-token.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { blockedAddress } from '../../../shared/domain/notices/blocked-address.ts';
import { endOfSecret } from '../../../shared/domain/notices/callback-link.ts';
import { chatRecipient, mailRecipient } from '../../../shared/domain/notices/failing-recipient.ts';
import {
	NOTICE_SCHEDULE_SECONDS,
	type NoticeChannel,
	newNotice,
	noticeId,
	type TeamNotice,
} from '../../../shared/domain/notices/team-notice.ts';
import { isEmailAddress, maskedAddress } from '../../../shared/domain/workspaces/email-address.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { LeadNotice, NotifyOutcome } from '../../../shared/ports/team-notifier.ts';
import type { SecretOwner } from '../../../shared/ports/vault.ts';
import { judgeDeadLetter } from '../../../shared/use-cases/dead-letters/judge-dead-letter.ts';
import { replayDeadLetter } from '../../../shared/use-cases/dead-letters/replay-dead-letter.ts';
import { findBlock } from '../../../shared/use-cases/notices/blocked-address.ts';
import { findFailure } from '../../../shared/use-cases/notices/failing-recipient.ts';
import { notifyTeam } from '../../../shared/use-cases/notices/notify-team.ts';
import { sweep } from '../../../shared/use-cases/retention/sweep.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { noHandover } from '../../support/no-handover.ts';
import { samples } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

const START_MS = Date.parse('2026-11-21T10:00:00Z');
const HOUR_MS = 3_600_000;
const SENT: NotifyOutcome = { notified: 'sent' };
const DOWN: NotifyOutcome = { notified: 'failed', code: 'InternalServiceErrorException' };

/** A team with a new lead, a mail service with the given responses, and a clock that only the test moves. */
function world(
	answers: (tries: number) => NotifyOutcome | 'crash' | Promise<NotifyOutcome>,
	changes: { lead?: object; workspace?: object; channel?: NoticeChannel } = {},
) {
	const now = { ms: START_MS };
	const lines: string[] = [];
	const mails: { readonly at_ms: number; readonly notice: LeadNotice }[] = [];
	const dead: unknown[] = [];
	/** Until this time, the dead-letter queue refuses messages. */
	const outage = { until_ms: 0 };
	/** The message group of each message. */
	const groups: (string | null)[] = [];
	/** Messages that have not arrived yet. */
	let queued: { readonly at_ms: number }[] = [];
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds, group } of messages) {
				groups.push(group);
				if (queue === 'team-notices') queued.push({ at_ms: now.ms + delay_seconds * 1000 });
				else if (now.ms < outage.until_ms) return { sent: 0, failed: 1 };
				else dead.push(message);
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const { channel = 'mail' } = changes;
	const lead: CallbackLead = { ...samples.callback_lead, name: 'Ada', ...changes.lead };
	const workspace: Workspace = { ...samples.workspace, ...changes.workspace };
	const store = memoryStore();
	const ready = store.commit([
		put('callback_lead', lead, always),
		put('workspace', workspace, always),
		put('team_notice', newNotice(lead, START_MS, channel), always),
	]);
	const recorder = {
		async tell(notice: LeadNotice) {
			mails.push({ at_ms: now.ms, notice });
			const answer = await answers(mails.length);
			if (answer === 'crash') throw new Error('killed');
			return answer;
		},
	};
	const silent = { tell: () => Promise.reject(new Error('the other channel')) };
	const deps = {
		store,
		queues,
		backlog: async () => 0,
		clock: { now: () => now.ms },
		ids: ulidIds,
		log: jsonLog({}, (line) => lines.push(line)),
		schedule_seconds: NOTICE_SCHEDULE_SECONDS,
		planHandover: noHandover,
		link_base_url: 'https://api.example/v1',
		notifier: channel === 'mail' ? recorder : silent,
		chat: channel === 'chat' ? recorder : silent,
		vault: {
			openSecret: async (sealed: string, { workspace_id, id }: SecretOwner) => `${sealed}/${workspace_id}/${id}`,
		},
	};
	const hint = () => ready.then(() => notifyTeam({ notice_id: noticeId(lead.id, channel) }, deps));
	return {
		deps,
		mails,
		dead,
		groups,
		outage,
		lines,
		now,
		hint,
		async notice(): Promise<TeamNotice | null> {
			await ready;
			return store.get('team_notice', { id: noticeId(lead.id, channel) });
		},
		/** Lets this many hours pass, in which the queue and the sweep run. */
		async pass(hours: number): Promise<void> {
			await ready;
			for (const end = now.ms + hours * HOUR_MS; now.ms < end; now.ms += 60_000) {
				await sweep(deps);
				const come = queued.filter(({ at_ms }) => at_ms <= now.ms);
				queued = queued.filter(({ at_ms }) => at_ms > now.ms);
				for (const _ of come) await hint().catch(() => null);
			}
		},
	};
}

describe('a team that has an address', () => {
	it('is notified through the sweep if the first message was lost', async () => {
		const { pass, mails } = world(() => SENT);
		await pass(0.1);
		expect(mails).toHaveLength(1);
	});

	it('gets a message, and the log has no warning about it', async () => {
		const { hint, lines } = world(() => SENT);
		await hint();
		const notices = lines.map((line) => JSON.parse(line)).filter(({ fact }) => fact === 'notice');
		expect(notices).toMatchObject([{ level: 'INFO', outcome: 'sent', channel: 'mail', attempt: 1 }]);
	});

	it('is not notified of a lead that it has already dealt with', async () => {
		const { hint, mails, notice } = world(() => SENT, { lead: { status: 'handled' } });
		await hint();
		expect([mails, (await notice())?.status]).toEqual([[], 'canceled']);
	});

	it('is not notified after its address was removed, nor by a deployment that has no sender of mail', async () => {
		const gone = world(() => SENT, { workspace: { team_email: null } });
		await gone.hint();
		const mute = world(() => SENT);
		await mute.notice();
		await notifyTeam({ notice_id: noticeId(samples.callback_lead.id, 'mail') }, { ...mute.deps, notifier: null });
		for (const { mails, notice } of [gone, mute]) expect([mails, (await notice())?.status]).toEqual([[], 'canceled']);
		expect(mute.lines.join()).toContain('no_sender');
	});
});

describe('a team that has a chat', () => {
	const team_webhook = { origin: 'https://hooks.slack.com', sealed: 'sealed' };
	const chat = { channel: 'chat', workspace: { team_email: null, team_webhook } } as const;

	it('is notified there once of a lead, at the URL that is sealed for its workspace', async () => {
		const { hint, mails, notice } = world(() => SENT, chat);
		await Promise.all([hint(), hint()]);
		expect(mails.map(({ notice }) => notice.to)).toEqual([`sealed/${samples.workspace.id}/team-webhook`]);
		expect(await notice()).toMatchObject({ status: 'sent', due_at: null });
	});

	it('is not notified after the URL was removed', async () => {
		const { hint, mails, notice } = world(() => SENT, { ...chat, workspace: { team_webhook: null } });
		await hint();
		expect([mails, (await notice())?.status]).toEqual([[], 'canceled']);
	});

	it('and a mail address is notified on both channels at once, each with its own link', async () => {
		const { deps, mails, notice, hint } = world(() => SENT, { ...chat, workspace: { team_webhook } });
		await notice();
		const item = newNotice(samples.callback_lead, START_MS, 'mail');
		await deps.store.commit([put('team_notice', item, always)]);
		const both = { ...deps, notifier: deps.chat };
		await Promise.all([hint(), notifyTeam({ notice_id: noticeId(samples.callback_lead.id, 'mail') }, both)]);
		expect(mails.map(({ notice }) => notice.to).sort()).toEqual([
			`sealed/${samples.workspace.id}/team-webhook`,
			'team@shop.example',
		]);
		expect(new Set(mails.map(tokenIn)).size).toBe(2);
	});
});

describe('the team is notified in its own language', () => {
	it('with the name, the language and the time zone of its workspace', async () => {
		const workspace = { name: 'Laden', language: 'de', time_zone: 'Europe/Berlin' } as const;
		const given = world(() => SENT, { workspace });
		await given.hint();
		expect(given.mails[0]?.notice).toMatchObject({
			workspace_name: 'Laden',
			locale: { language: 'de', time_zone: 'Europe/Berlin' },
		});
	});
});

describe('a mail service that fails', () => {
	it('is tried eight times over 13 hours, and then operators find a dead letter', async () => {
		const { pass, mails, notice, dead, lines } = world(() => DOWN);
		await pass(24);
		expect(mails).toHaveLength(NOTICE_SCHEDULE_SECONDS.length);
		const waitsSeconds = mails.slice(1).map(({ at_ms }, n) => (at_ms - (mails[n]?.at_ms ?? 0)) / 1000);
		// A try is never early. It is at most two minutes late, because the sweep, which runs each minute, may have to find it.
		waitsSeconds.forEach((wait, n) => {
			expect(wait).toBeGreaterThanOrEqual(NOTICE_SCHEDULE_SECONDS[n + 1] ?? 0);
			expect(wait).toBeLessThanOrEqual((NOTICE_SCHEDULE_SECONDS[n + 1] ?? 0) + 120);
		});
		expect(await notice()).toMatchObject({ status: 'failed', due_at: null });
		expect(dead).toEqual([{ notice_id: noticeId(samples.callback_lead.id, 'mail') }]);
		const fields = {
			code: 'InternalServiceErrorException',
			attempt: NOTICE_SCHEDULE_SECONDS.length,
			outcome: 'failed',
		};
		expect(JSON.parse(lines.filter((line) => line.includes('"notice"')).at(-1) ?? '')).toMatchObject(fields);
	});

	it('gets no further try if it rejects the message for good', async () => {
		const { pass, mails, dead } = world(() => ({ notified: 'refused', code: 'BadRequestException' }));
		await pass(24);
		expect([mails.length, dead.length]).toEqual([1, 1]);
	});

	it.each([
		['fails', DOWN],
		['refuses', { notified: 'refused', code: 'BadRequestException' }],
	] as const)(
		'leaves a dead letter for operators when it %s, even if their queue accepts nothing for a day',
		async (_, answer) => {
			const { pass, notice, dead, outage } = world(() => answer);
			outage.until_ms = START_MS + 24 * HOUR_MS;
			await pass(23);
			expect([dead, (await notice())?.status]).toEqual([[], 'pending']);
			await pass(2);
			expect([dead, (await notice())?.status]).toEqual([
				[{ notice_id: noticeId(samples.callback_lead.id, 'mail') }],
				'failed',
			]);
		},
	);

	it('gets another try after a crash, and the tries end even if each try crashes', async () => {
		const once = world((tries) => (tries === 1 ? 'crash' : SENT));
		await once.pass(1);
		expect([once.mails.length, (await once.notice())?.status]).toEqual([2, 'sent']);
		const always = world(() => 'crash');
		await always.pass(24);
		expect(always.mails).toHaveLength(NOTICE_SCHEDULE_SECONDS.length);
		expect((await always.notice())?.status).toBe('failed');
	});
});

const tokenIn = ({ notice }: { readonly notice: LeadNotice }): string =>
	/^https:\/\/api\.example\/v1\/callback-links\/(\S+)$/.exec(notice.link.url)?.[1] ?? '';

describe('the link in a message', () => {
	it('is stored only as a hash, committed before the message is sent', async () => {
		const { hint, mails, deps } = world(() => 'crash');
		await hint().catch(() => null);
		const presented = parseToken(tokenIn(mails[0] as never));
		const link = await deps.store.get('callback_link', { lead_id: samples.callback_lead.id });
		expect(link && presented && endOfSecret(link, presented.secret)).not.toBeNull();
		expect(JSON.stringify(link)).not.toContain(tokenIn(mails[0] as never).slice(27));
	});

	it('differs in each message, and each of these links opens', async () => {
		const { pass, mails, deps } = world((tries) => (tries < 3 ? DOWN : SENT));
		await pass(1);
		const link = await deps.store.get('callback_link', { lead_id: samples.callback_lead.id });
		const tokens = mails.map(tokenIn);
		expect(new Set(tokens).size).toBe(3);
		for (const token of tokens)
			expect(link && endOfSecret(link, parseToken(token)?.secret ?? new Uint8Array())).not.toBeNull();
	});

	it('stops the retries once it is used: the message arrived, although the mail service’s response was lost', async () => {
		const { pass, hint, mails, deps, notice } = world(() => DOWN);
		await hint();
		const link = await deps.store.get('callback_link', { lead_id: samples.callback_lead.id });
		const item = { ...samples.callback_link, ...link, used_at: samples.call.created_at };
		await deps.store.commit([put('callback_link', item, always)]);
		await pass(24);
		expect([mails.length, (await notice())?.status]).toEqual([1, 'sent']);
	});
});

describe('an address to which the mail service sends nothing', () => {
	const BLOCKED: NotifyOutcome = { notified: 'blocked', reason: 'complaint' };
	const blockOf = ({ deps }: ReturnType<typeof world>) => findBlock('Team@shop.example', deps);

	it('gets no further try; operators find a dead letter, and the log says which address it is, and why', async () => {
		const given = world(() => BLOCKED);
		await given.pass(24);
		expect([given.mails.length, (await given.notice())?.status]).toEqual([1, 'failed']);
		expect(given.dead).toEqual([{ notice_id: noticeId(samples.callback_lead.id, 'mail') }]);
		const lines = given.lines.map((line) => JSON.parse(line));
		const { id: lead_id, workspace_id } = samples.callback_lead;
		const because = { code: 'address_complained', lead_id, workspace_id };
		expect(lines).toContainEqual(
			expect.objectContaining({ fact: 'notice', outcome: 'failed', channel: 'mail', ...because }),
		);
		const address_masked = 't***@shop.example';
		expect(lines).toContainEqual(expect.objectContaining({ fact: 'address blocked', ...because, address_masked }));
		expect(given.lines.join()).not.toContain('team@shop.example');
	});

	it('is stored for the desk, in any spelling, until 90 days after the last unsent mail', async () => {
		const given = world(() => BLOCKED);
		await given.hint();
		const noticed_at = new Date(START_MS).toISOString();
		expect(await blockOf(given)).toMatchObject({ address: 'team@shop.example', reason: 'complaint', noticed_at });
		given.now.ms += 90 * 24 * HOUR_MS - 1;
		expect(await blockOf(given)).not.toBeNull();
		given.now.ms += 1;
		expect(await blockOf(given)).toBeNull();
	});

	it('is forgotten once a mail to it is sent, also by a replay of the dead letter', async () => {
		const given = world((tries) => (tries === 1 ? BLOCKED : SENT));
		await given.pass(1);
		const letter = { kind: 'team_notice', message: { notice_id: noticeId(samples.callback_lead.id, 'mail') } } as const;
		const { verdict } = await judgeDeadLetter(letter, { store: given.deps.store, now_ms: given.now.ms });
		await replayDeadLetter(verdict, given.deps);
		await given.pass(1);
		expect([(await given.notice())?.status, await blockOf(given)]).toEqual(['sent', null]);
	});

	it.each([
		['sent while the list could not be read', { notified: 'sent', unchecked: 'TooManyRequestsException' }],
		['refused', { notified: 'refused', code: 'BadRequestException' }],
	] as const)('stays stored after a mail that was %s', async (_, outcome) => {
		const given = world(() => outcome);
		const item = blockedAddress('team@shop.example', 'bounce', START_MS);
		await given.notice();
		await given.deps.store.commit([put('blocked_address', item, always)]);
		await given.hint();
		expect(await blockOf(given)).toEqual(item);
		if (outcome.notified !== 'sent') return;
		const line = given.lines.map((each) => JSON.parse(each)).find(({ fact }) => fact === 'blocked addresses not read');
		expect(line).toMatchObject({ level: 'WARN', code: outcome.unchecked });
	});

	it('is looked up for mail only: the secret URL of a chat is never looked up in the list of blocked addresses', async () => {
		const team_webhook = { origin: 'https://hooks.slack.com', sealed: 'sealed' };
		const given = world(() => SENT, { channel: 'chat', workspace: { team_email: null, team_webhook } });
		const asked: string[] = [];
		const get: typeof given.deps.store.get = (record, key) => {
			asked.push(record);
			return given.deps.store.get(record, key);
		};
		await given.notice();
		await notifyTeam(
			{ notice_id: noticeId(samples.callback_lead.id, 'chat') },
			{ ...given.deps, store: { ...given.deps.store, get } },
		);
		expect((await given.notice())?.status).toBe('sent');
		expect(asked).not.toContain('blocked_address');
	});
});

describe('a chat that accepts no message', () => {
	const team_webhook = { origin: 'https://hooks.slack.com', sealed: 'sealed' };
	const workspace = { team_email: null, team_webhook };
	const chatOf = (sealed = 'sealed') =>
		chatRecipient({ ...samples.workspace, team_webhook: { ...team_webhook, sealed } }) ?? '';
	const failed = (code: string): NotifyOutcome => ({ notified: 'failed', code });
	const inChat = (answer: (tries: number) => NotifyOutcome) => world(answer, { channel: 'chat', workspace });

	it.each<NotifyOutcome>([
		{ notified: 'refused', code: 'http_404' },
		{ notified: 'refused', code: 'http_410' },
		{ notified: 'failed', code: 'http_503' },
		{ notified: 'failed', code: 'target_blocked' },
		{ notified: 'failed', code: 'guard_cloudflare' },
	])('is stored with the time and the code of %j, and logged', async (outcome) => {
		const given = inChat(() => outcome);
		await given.hint();
		const since = new Date(START_MS).toISOString();
		const code = 'code' in outcome ? outcome.code : '';
		expect(await findFailure(chatOf(), given.deps)).toMatchObject({ since, code });
		const lines = given.lines.map((line) => JSON.parse(line));
		const { id: lead_id, workspace_id } = samples.callback_lead;
		expect(lines).toContainEqual(
			expect.objectContaining({
				level: 'WARN',
				fact: 'recipient failing',
				code,
				failing_since: since,
				lead_id,
				workspace_id,
			}),
		);
	});

	it('is stored with the time of the first failure and the code of the latest, until a post succeeds', async () => {
		const given = inChat((tries) => (tries === 3 ? SENT : failed(`http_50${tries}`)));
		await given.hint();
		await given.pass(0.05);
		const since = new Date(START_MS).toISOString();
		expect(given.mails).toHaveLength(2);
		expect(await findFailure(chatOf(), given.deps)).toMatchObject({ since, code: 'http_502' });
		await given.pass(1);
		expect([(await given.notice())?.status, await findFailure(chatOf(), given.deps)]).toEqual(['sent', null]);
	});

	it('counts as failing since the first failure after its last success, and is forgotten 90 days after its last failure', async () => {
		const given = inChat(() => ({ notified: 'refused', code: 'http_404' }));
		const before = { recipient: chatOf(), code: 'http_410', since: '2026-01-01T00:00:00.000Z' };
		const item = { ...before, expires_at_epoch_s: START_MS / 1000 };
		await given.notice();
		await given.deps.store.commit([put('failing_recipient', item, always)]);
		await given.hint();
		expect(await findFailure(chatOf(), given.deps)).toMatchObject({ since: new Date(START_MS).toISOString() });
		given.now.ms += 90 * 24 * HOUR_MS;
		expect(await findFailure(chatOf(), given.deps)).toBeNull();
	});

	it('is stored without its URL, and its failure does not count for another URL or for the team’s mail address', async () => {
		const given = inChat(() => ({ notified: 'refused', code: 'http_404' }));
		await given.hint();
		expect(await findFailure(chatOf('another'), given.deps)).toBeNull();
		expect(await findFailure(mailRecipient('team@shop.example'), given.deps)).toBeNull();
		expect(chatOf()).not.toContain('sealed');
	});
});

it.each<NotifyOutcome>([DOWN, { notified: 'refused', code: 'BadRequestException' }])(
	'a mail address that the mail service rejects is stored with its code until a mail is sent: %j',
	async (outcome) => {
		const given = world((tries) => (tries === 1 ? outcome : SENT));
		await given.hint();
		const mail = mailRecipient('Team@shop.example');
		const code = 'code' in outcome ? outcome.code : '';
		expect(await findFailure(mail, given.deps)).toMatchObject({ code });
		expect(given.lines.join()).toContain('t***@shop.example');
		const again = { ...samples.callback_lead, id: `${samples.callback_lead.id.slice(0, -1)}Z` };
		await given.deps.store.commit([
			put('callback_lead', again, always),
			put('team_notice', newNotice(again, given.now.ms, 'mail'), always),
		]);
		await notifyTeam({ notice_id: noticeId(again.id, 'mail') }, given.deps);
		expect(await findFailure(mail, given.deps)).toBeNull();
	},
);

it.each([
	['team@shop.example', 't***@shop.example'],
	['t@shop.example', 't***@shop.example'],
])('the address %s is %s in the log', (address, masked) => {
	expect(maskedAddress(address)).toBe(masked);
});

describe('the log', () => {
	const lead: CallbackLead = { ...samples.callback_lead, name: 'Ada', source_url: 'https://shop.example/pricing' };

	it('contains no address, no name and no page, for every outcome', async () => {
		const failing = world((tries) => (tries < 3 ? DOWN : SENT), { lead });
		await failing.pass(2);
		const refused = world(() => ({ notified: 'refused', code: 'BadRequestException' }), { lead });
		await refused.pass(1);
		const said = [...failing.lines, ...refused.lines].join('');
		const outcomes = [...said.matchAll(/"fact":"notice".*?"outcome":"(\w+)"/g)].map(([, outcome]) => outcome);
		expect(outcomes).toEqual(['retry', 'retry', 'sent', 'failed']);
		expect(said.replaceAll('t***@shop.example', '')).not.toMatch(/@|Ada|pricing|\+1|callback-links/);
		for (const { mails } of [failing, refused])
			for (const each of mails) expect(said).not.toContain(tokenIn(each).slice(27));
	});
});

it.each([
	['team@shop.example', true],
	["o'hara+x@sub.shop.example", true],
	['team', false],
	['info@xn--e1afmkfd.xn--p1ai', true],
	['ida@shop.xn--vermgensberatung-pwb', true],
	['ida@mail.shop.x1', true],
	['.ida..w.@shop.example', true],
	['ida@localhost', true],
	['info@пример.рф', false],
	['ida@shop..example', false],
	['ida@shop.example.', false],
	['ida@shop-.example', false],
	['"ida"@shop.example', false],
	['a@b@shop.example', false],
	['Team <team@shop.example>', false],
	['a@shop.example,b@shop.example', false],
	['a@shop.example\nBcc: b@shop.example', false],
	['a@-shop.example', false],
	[`${'a'.repeat(65)}@shop.example`, false],
])('whether %j is accepted as a mail address: %s', (text, is) => {
	expect(isEmailAddress(text)).toBe(is);
});

it('a flood of leads delays no other workspace: retries and messages of the sweep are grouped by workspace', async () => {
	const { deps, groups, hint, now } = world(() => DOWN);
	await hint();
	now.ms += HOUR_MS;
	await sweep(deps);
	expect(groups).toEqual([samples.callback_lead.workspace_id, samples.callback_lead.workspace_id]);
});
