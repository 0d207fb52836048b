import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DESK_LINK_SECONDS } from '../../../shared/domain/desk/desk-link.ts';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../../shared/domain/kernel/link-token.ts';
import { mailRecipient } from '../../../shared/domain/notices/failing-recipient.ts';
import { hasAccepted } from '../../../shared/domain/workspaces/desk-person.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { peoplePage } from '../../../shared/http/desk/people/people-page.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import { QueueBusy } from '../../../shared/ports/queues.ts';
import type { DeskLinkMessage } from '../../../shared/ports/registry.ts';
import { StoreBusy } from '../../../shared/ports/store.ts';
import type { NotifyOutcome, TeamMessage } from '../../../shared/ports/team-notifier.ts';
import { deskMail } from '../../../shared/presentation/desk-mail.ts';
import {
	askForLink,
	countTry,
	findDeskLink,
	MAIL_DELAYS_SECONDS,
	mailLink,
	openDesk,
} from '../../../shared/use-cases/desk/desk-links.ts';
import { enterDesk, prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changePeople, type PeopleChange } from '../../../shared/use-cases/desk/people.ts';
import { findBlock } from '../../../shared/use-cases/notices/blocked-address.ts';
import { findFailure } from '../../../shared/use-cases/notices/failing-recipient.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const OWNER = 'ida@shop.example';
/** Identifies the browser that requests links. */
const ASKING = '0'.repeat(64);

const isLinkMessage = (message: object): message is DeskLinkMessage => 'address' in message;

/** A shop with an owner. Mails are kept, and the clock moves only when a test moves it. */
async function shopWithOwner() {
	const store = memoryStore();
	const { now, deps, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	await store.commit([put('workspace', workspace)]);
	const mails: TeamMessage[] = [];
	const sent: DeskLinkMessage[] = [];
	/** The delay of every message that the queue accepted. */
	const delays: number[] = [];
	const queue = { busy: 0 };
	const queues = {
		send: async (_: string, messages: readonly { readonly message: object; readonly delay_seconds: number }[]) => {
			if (queue.busy > 0) {
				queue.busy -= 1;
				return { sent: 0, failed: messages.length };
			}
			for (const { message, delay_seconds } of messages) {
				if (!isLinkMessage(message)) continue;
				sent.push(message);
				delays.push(delay_seconds);
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const rights = { ...deps, queues };
	/**
	 * How many of the next mails fail, how many of the next commits fail, and how many of the next mails go to a blocked
	 * address.
	 */
	const failures = { mail: 0, commit: 0, blocked: 0 };
	const mailer = {
		tell: async (message: TeamMessage): Promise<NotifyOutcome> => {
			if (failures.mail > 0) {
				failures.mail -= 1;
				return { notified: 'failed', code: 'timeout' };
			}
			if (failures.blocked > 0) {
				failures.blocked -= 1;
				return { notified: 'blocked', reason: 'bounce' };
			}
			mails.push(message);
			return { notified: 'sent' };
		},
	};
	const commit: typeof store.commit = async (writes) => {
		if (failures.commit > 0) {
			failures.commit -= 1;
			throw new StoreBusy('busy');
		}
		return store.commit(writes);
	};
	const worker = {
		...rights,
		store: { ...store, commit },
		log: memoryLog().log,
		notifier: mailer,
		link_base_url: 'https://api.example/v1',
	};
	await changePeople(workspace.id, { change: 'invite', address: OWNER, role: 'owner' }, rights);
	sent.length = 0;
	/** Requests a link, lets the worker run, and returns the token in the mail; null if no mail was sent. */
	async function mailedToken(address = OWNER): Promise<string | null> {
		sent.length = 0;
		const before = mails.length;
		await askForLink(address, '192.0.2.1', rights, ASKING);
		delays.length = 0;
		for (let message = sent.shift(); message !== undefined; message = sent.shift()) await mailLink(message, worker);
		const [mail] = mails.slice(before);
		return mail !== undefined && 'desk_link' in mail ? (mail.desk_link.url.split('/').at(-1) ?? null) : null;
	}
	/** Invites a person, possibly again, and returns the token in the mail. */
	async function invitationTo(address: string): Promise<string> {
		sent.length = 0;
		await changePeople(workspace.id, { change: 'invite', address, role: 'owner' }, rights);
		for (const message of sent.splice(0)) await mailLink(message, worker);
		const mail = mails.at(-1);
		return mail !== undefined && 'desk_link' in mail ? (mail.desk_link.url.split('/').at(-1) ?? '') : '';
	}
	const open = (token: string) => openDesk(token, workspace.id, rights);
	/** Signs in with the browser that requested the link; returns its cookie. */
	async function cookie(): Promise<string> {
		const opened = await openDesk((await mailedToken()) ?? '', workspace.id, rights, ASKING);
		if (!('secret' in opened)) throw new Error(JSON.stringify(opened));
		return `${SESSION_COOKIE}=${formatSecret(opened.secret)}`;
	}
	return {
		store,
		now,
		rights,
		worker,
		workspace,
		fresh,
		open,
		cookie,
		mailedToken,
		invitationTo,
		sent,
		delays,
		mails,
		queue,
		failures,
	};
}

const changed = ({ workspace, rights }: Awaited<ReturnType<typeof shopWithOwner>>, change: PeopleChange) =>
	changePeople(workspace.id, change, rights);

describe('a link to the desk', () => {
	it('works for 15 minutes', async () => {
		const { now, mailedToken, open, rights } = await shopWithOwner();
		const early = (await mailedToken()) ?? '';
		now.ms += 15 * MINUTE_MS - 1;
		const late = (await mailedToken()) ?? '';
		expect(await open(early)).toHaveProperty('secret');
		expect(await findDeskLink(early, rights)).toMatchObject({ refused: 'link_used' });
		now.ms += 15 * MINUTE_MS;
		expect(await open(late)).toEqual({ refused: 'link_expired' });
	});

	it('is not mailed to a blocked address, and the other owners see that the address is blocked until a mail to it is sent', async () => {
		const { mailedToken, failures, worker, rights, workspace } = await shopWithOwner();
		const { log, lines } = memoryLog();
		failures.blocked = 1;
		await mailLink({ address: OWNER, reason: 'sign_in' }, { ...worker, log });
		const because = { workspace_id: workspace.id, code: 'address_bounced' };
		expect(lines).toEqual([
			{ fact: 'desk link', outcome: 'failed', attempt: 1, duration_ms: expect.any(Number), ...because },
			{ fact: 'address blocked', ...because, address_masked: 'i***@shop.example' },
		]);
		expect(await findBlock(OWNER, rights)).toMatchObject({ reason: 'bounce' });
		expect(await mailedToken()).not.toBeNull();
		expect(await findBlock(OWNER, rights)).toBeNull();
	});

	it('is queued again until a busy queue accepts it, and is refused with an error if the queue never does', async () => {
		const { mailedToken, queue, sent, rights } = await shopWithOwner();
		queue.busy = 3;
		expect(await mailedToken()).not.toBeNull();
		queue.busy = 4;
		await expect(askForLink('ida@shop.example', '192.0.2.1', rights)).rejects.toThrow(QueueBusy);
		expect(sent).toEqual([]);
	});

	it.each(['mail', 'commit'] as const)('is mailed after a retry although %s fails twice', async (part) => {
		const { mailedToken, failures, mails, delays, open } = await shopWithOwner();
		failures[part] = 2;
		expect(await open((await mailedToken()) ?? '')).toHaveProperty('secret');
		expect(mails).toHaveLength(1);
		expect(delays).toHaveLength(2);
	});

	it('is retried after growing delays, which suit a throttled SES account, and is then given up with an error', async () => {
		const { mailedToken, failures, delays, worker, sent, workspace, now } = await shopWithOwner();
		const { log, lines } = memoryLog();
		failures.mail = MAIL_DELAYS_SECONDS.length + 1;
		expect(await mailedToken()).toBeNull();
		expect(failures.mail).toBe(0);
		for (const [nth, seconds] of delays.entries()) {
			const least = MAIL_DELAYS_SECONDS[nth] ?? NaN;
			expect([nth, seconds >= least && seconds <= 2 * least]).toEqual([nth, true]);
		}
		expect(delays.reduce((sum, each) => sum + each)).toBeLessThan(DESK_LINK_SECONDS.sign_in);
		failures.mail = 1;
		const last = { address: OWNER, reason: 'sign_in', failed_tries: MAIL_DELAYS_SECONDS.length } as const;
		await mailLink(last, { ...worker, log });
		const because = { workspace_id: workspace.id, code: 'timeout' };
		const failing_since = new Date(now.ms).toISOString();
		expect(lines).toEqual([
			{
				fact: 'desk link',
				outcome: 'failed',
				attempt: MAIL_DELAYS_SECONDS.length + 1,
				duration_ms: expect.any(Number),
				...because,
			},
			{ fact: 'recipient failing', ...because, address_masked: 'i***@shop.example', failing_since },
		]);
		expect(sent).toEqual([]);
	});

	it('whose mail failed for good is reported beside the address on the page of people, until a link is mailed', async () => {
		const { mailedToken, failures, rights, now, workspace } = await shopWithOwner();
		const page = async () => {
			const person = { address: OWNER, role: 'owner', sessions_from: '' } as const;
			const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address: OWNER }, now.ms);
			const desk = (await rights.store.get('workspace', { id: workspace.id })) ?? workspace;
			const view = viewOf({ workspace: desk, person, session, secret: new Uint8Array(32) }, now.ms);
			return (await peoplePage(view, rights)).markup;
		};
		failures.mail = 1;
		expect(await mailedToken()).not.toBeNull();
		expect(await page()).not.toContain('have failed since');
		failures.mail = MAIL_DELAYS_SECONDS.length + 1;
		await mailedToken();
		expect(await page()).toMatch(
			/ida@shop\.example<.*Emails to this address have failed since Sat, Nov 21, 10:00 AM: timeout/s,
		);
		await mailedToken();
		expect(await page()).not.toContain('have failed since');
	});

	it('is tried again by SQS if the store fails during the last try, and the desk says since when the mails fail', async () => {
		const { worker, failures, rights, now } = await shopWithOwner();
		failures.commit = 1;
		const last = { address: OWNER, reason: 'sign_in', failed_tries: MAIL_DELAYS_SECONDS.length } as const;
		await expect(mailLink(last, worker)).rejects.toThrow();
		const failing = await findFailure(mailRecipient(OWNER), rights);
		expect(await findFailure(mailRecipient('mia@shop.example'), rights)).toBeNull();
		expect(failing).toMatchObject({ code: 'crashed', since: new Date(now.ms).toISOString() });
		await mailLink(last, worker);
		expect(await findFailure(mailRecipient(OWNER), rights)).toBeNull();
	});

	it('is mailed once although the store cannot save that the address gets mail again', async () => {
		const { worker, failures, mails, sent } = await shopWithOwner();
		const last = { address: OWNER, reason: 'sign_in', failed_tries: MAIL_DELAYS_SECONDS.length } as const;
		failures.mail = 1;
		await mailLink(last, worker);
		const { log, lines } = memoryLog();
		let commits = 0;
		const commit: typeof worker.store.commit = (writes) => {
			commits += 1;
			return commits === 2 ? Promise.reject(new TypeError('no store')) : worker.store.commit(writes);
		};
		await mailLink({ address: OWNER, reason: 'sign_in' }, { ...worker, log, store: { ...worker.store, commit } });
		expect([mails.length, sent.length, commits]).toEqual([1, 0, 2]);
		expect(lines.map(({ fact }) => fact)).toEqual(['desk link', 'message failed']);
	});

	it('is tried again by SQS if the queue does not accept the message for the retry', async () => {
		const { worker, failures, queue, mails } = await shopWithOwner();
		[failures.mail, queue.busy] = [1, 1];
		await expect(mailLink({ address: OWNER, reason: 'sign_in' }, worker)).rejects.toThrow(QueueBusy);
		await mailLink({ address: OWNER, reason: 'sign_in' }, worker);
		expect(mails).toHaveLength(1);
	});

	it('is mailed even if the message in the queue lacks the count of tries, as messages of the previous release do', () => {
		const message = { address: OWNER, reason: 'sign_in', failed_tries: 2 } as const;
		const schema = messageSchemas['team-notices'];
		expect(schema.parse(message)).toEqual(message);
		expect(schema.parse({ address: OWNER, reason: 'sign_in' })).toEqual({ address: OWNER, reason: 'sign_in' });
	});

	it('is asked for with the same reads, writes and messages for a known and an unknown address', async () => {
		const { rights, sent, store } = await shopWithOwner();
		const workOf = async (address: string) => {
			const work: string[] = [];
			const noted =
				<A extends readonly unknown[], R>(name: string, run: (...given: A) => R) =>
				(...given: A): R => {
					work.push(name);
					return run(...given);
				};
			const counting = {
				...store,
				get: noted('get', store.get),
				list: noted('list', store.list),
				count: noted('count', store.count),
				commit: noted('commit', store.commit),
			};
			await askForLink(address, '192.0.2.7', { ...rights, store: counting });
			return work;
		};
		const known = await workOf('ida@shop.example');
		expect(known).toEqual(['count', 'count']);
		expect(await workOf('x@unknown.example')).toEqual(known);
		expect(sent).toEqual(['ida@shop.example', 'x@unknown.example'].map((address) => ({ address, reason: 'sign_in' })));
	});

	it('is stored only as a hash, so that what the table stores cannot open a desk', async () => {
		const { mailedToken, store } = await shopWithOwner();
		const token = (await mailedToken()) ?? '';
		const id = createHash('sha256').update(Buffer.from(token, 'base64url')).digest('hex');
		const stored = await store.get('desk_link', { id });
		expect(stored?.address).toBe('ida@shop.example');
		expect(JSON.stringify(stored)).not.toContain(token);
	});

	it.each([
		['address', 10, (n: number) => `n${n}@unknown.example`, () => '192.0.2.7'],
		['IPv6 /64', 10, (n: number) => `n${n}@unknown.example`, (n: number) => `2001:db8:1:1::${n.toString(16)}`],
	] as const)('is refused to one %s after %i requests in ten minutes', async (_, most, address, sourceIp) => {
		const { rights, now } = await shopWithOwner();
		const ask = (n: number) => askForLink(address(n), sourceIp(n), rights);
		for (let n = 0; n < most; n += 1) expect(await ask(n)).toBeNull();
		expect(await ask(most)).toHaveProperty('retry_after_seconds');
		now.ms += 10 * MINUTE_MS;
		expect(await ask(most)).toBeNull();
	});

	it('is mailed to one mailbox 3 times in ten minutes and 12 times a day, from wherever it is requested', async () => {
		const { rights, now, sent } = await shopWithOwner();
		for (let window = 0; window < 6; window += 1) {
			for (let n = 0; n < 4; n += 1) {
				const sourceIp = `192.0.2.${10 * window + n}`;
				expect(await askForLink('ida@shop.example', sourceIp, rights)).toBeNull();
			}
			expect(sent.length).toBe(Math.min(12, 3 * (window + 1)));
			now.ms += 10 * MINUTE_MS;
		}
	});

	it.each<[string, (shop: Awaited<ReturnType<typeof shopWithOwner>>) => Promise<unknown>]>([
		['another link is used', async ({ mailedToken, open }) => open((await mailedToken()) ?? '')],
		['the sessions of the person are ended', (shop) => changed(shop, { change: 'end_sessions', address: OWNER })],
		['all sessions are ended', (shop) => changed(shop, { change: 'end_sessions', address: null })],
		[
			'the person was removed, and invited again',
			async (shop) => {
				await changed(shop, { change: 'remove', address: OWNER });
				return changed(shop, { change: 'invite', address: OWNER, role: 'owner' });
			},
		],
	])('has ended once %s', async (_, end) => {
		const shop = await shopWithOwner();
		await changed(shop, { change: 'invite', address: 'mia@shop.example', role: 'owner' });
		const asked = (await shop.mailedToken()) ?? '';
		const invited = await shop.invitationTo(OWNER);
		shop.now.ms += 1000;
		await end(shop);
		shop.now.ms += 1000;
		for (const token of [asked, invited]) expect(await shop.open(token)).toEqual({ refused: 'link_expired' });
		expect(await shop.open((await shop.mailedToken()) ?? '')).toHaveProperty('secret');
	});

	it('is the only one that opens a session if several links are used at the same moment', async () => {
		const shop = await shopWithOwner();
		const tokens = [await shop.mailedToken(), await shop.mailedToken(), await shop.invitationTo(OWNER)];
		const opened = await Promise.all(tokens.map((token) => shop.open(token ?? '')));
		expect(opened.filter((one) => 'secret' in one)).toHaveLength(1);
		expect(opened.filter((one) => !('secret' in one))).toEqual([{ refused: 'link_used' }, { refused: 'link_used' }]);
	});

	it('that is used twice at the same moment opens one session, and the other use is refused as used', async () => {
		const shop = await shopWithOwner();
		const token = (await shop.mailedToken()) ?? '';
		const opened = await Promise.all([shop.open(token), shop.open(token)]);
		expect(opened).toEqual([{ secret: expect.any(Uint8Array) }, { refused: 'link_used' }]);
	});

	it('is mailed at most three times to one mailbox, whatever follows the plus in its address', async () => {
		const { rights, sent } = await shopWithOwner();
		for (let n = 0; n < 9; n += 1) await askForLink(`ida+${n}@shop.example`, `192.0.2.${n}`, rights);
		await askForLink('IDA@shop.example', '192.0.2.99', rights);
		expect(sent).toHaveLength(3);
	});

	it('that is made up is counted: after 30 from one address, the only answer is "wait"', async () => {
		const { rights } = await shopWithOwner();
		for (let n = 0; n < 30; n += 1) expect(await countTry('wrong', '192.0.2.8', rights)).toBeNull();
		expect(await countTry('wrong', '192.0.2.8', rights)).toHaveProperty('retry_after_seconds');
		expect(await countTry('wrong', '192.0.2.9', rights)).toBeNull();
		expect(await countTry('asked', '192.0.2.8', rights)).toBeNull();
	});
});

describe('an invitation', () => {
	it('names the desk that invites, in its language, and opens that desk alone', async () => {
		const shop = await shopWithOwner();
		const { store, rights, worker, workspace, sent, mails } = shop;
		const second: Workspace = { ...shop.fresh(), name: 'Zweitladen', language: 'de' };
		await store.commit([put('workspace', second)]);
		await changePeople(second.id, { change: 'invite', address: OWNER, role: 'member' }, rights);
		for (const message of sent.splice(0)) await mailLink(message, worker);
		const [mail] = mails;
		if (mail === undefined || !('desk_link' in mail)) throw new Error('no invitation');
		expect([mail.workspace_name, mail.locale.language]).toEqual(['Zweitladen', 'de']);
		const token = mail.desk_link.url.split('/').at(-1) ?? '';
		expect(await openDesk(token, workspace.id, rights)).toEqual({ refused: 'link_not_valid' });
		expect(await openDesk(token, second.id, rights)).toHaveProperty('secret');
	});

	it('says who invites to what, and as which role; an invitation by an operator names no person', async () => {
		const shop = await shopWithOwner();
		const address = 'zoe@shop.example';
		const mailOf = async (by: { readonly by?: string }) => {
			await changed(shop, { change: 'invite', address, role: 'developer', ...by });
			for (const message of shop.sent.splice(0)) await mailLink(message, shop.worker);
			const mail = shop.mails.at(-1);
			if (mail === undefined || !('desk_link' in mail)) throw new Error('no invitation');
			return deskMail(mail);
		};
		const { subject, text, html } = await mailOf({ by: OWNER });
		expect(subject).toBe(`You are invited to the callback desk of ${shop.workspace.name}`);
		for (const part of [`Invited by: ${OWNER}`, 'Role: Developer: webhooks', 'You need no password']) {
			expect(text).toContain(part);
		}
		// Developers see no visitors and call nobody back, so their invitation must not say so.
		expect(text).toContain('set up webhooks and API keys');
		expect(text).not.toContain('called back');
		expect(html).toContain(`<bdi dir="ltr">${OWNER}</bdi>`);
		expect((await mailOf({})).text).not.toContain('Invited by');
	});

	it('is not mailed to a person who was removed before the mail was sent', async () => {
		const shop = await shopWithOwner();
		const address = 'stranger@elsewhere.example';
		await changePeople(shop.workspace.id, { change: 'invite', address, role: 'member' }, shop.rights);
		await changed(shop, { change: 'remove', address });
		expect(shop.sent).toHaveLength(1);
		for (const message of shop.sent.splice(0)) await mailLink(message, shop.worker);
		expect(shop.mails).toEqual([]);
		// The worker does not try to send the mail later.
		expect(shop.sent).toEqual([]);
	});

	it('is accepted only by the person who was invited', async () => {
		const shop = await shopWithOwner();
		const token = await shop.invitationTo('mia@elsewhere.example');
		await shop.invitationTo('jo@elsewhere.example');
		const saved = () => shop.store.get('workspace', { id: shop.workspace.id });
		const before = await saved();
		if (before === null) throw new Error('no workspace');
		const invited = before.desk.map((person) => ({ ...person, invited_at: person.sessions_from }));
		await shop.store.commit([put('workspace', { ...before, desk: invited }, always)]);
		expect(await shop.open(token)).toHaveProperty('secret');
		const after = await saved();
		expect(after?.desk.filter(hasAccepted).map(({ address }) => address)).toEqual(['mia@elsewhere.example']);
		expect(after?.version).toBe(before.version + 1);
	});
});

describe('a session at the desk', () => {
	it('ends 30 days after its last use', async () => {
		const { now, rights, cookie } = await shopWithOwner();
		const cookies = [await cookie()];
		for (let use = 0; use < 4; use += 1) {
			now.ms += 29 * DAY_MS;
			const at = await enterDesk(cookies, rights);
			expect(at !== null && (await prolongSession(at, rights))).toBe(true);
		}
		now.ms += 30 * DAY_MS;
		expect(await enterDesk(cookies, rights)).toBeNull();
	});

	it('is written at most once a day', async () => {
		const { now, rights, store, cookie } = await shopWithOwner();
		const cookies = [await cookie()];
		let writes = 0;
		const counting = {
			...store,
			commit: (...given: Parameters<typeof store.commit>) => {
				writes += 1;
				return store.commit(...given);
			},
		};
		for (let hour = 0; hour < 48; hour += 1) {
			now.ms += 60 * MINUTE_MS;
			const at = await enterDesk(cookies, { ...rights, store: counting });
			if (at !== null) await prolongSession(at, { ...rights, store: counting });
		}
		expect(writes).toBe(2);
	});

	it('is found by its own cookie and by no other cookie', async () => {
		const { rights, cookie } = await shopWithOwner();
		const own = await cookie();
		for (const wrong of ['', own.slice(1), own.slice(0, -2), `x${own}`, `${SESSION_COOKIE}=${'A'.repeat(43)}`]) {
			expect(await enterDesk([wrong], rights)).toBeNull();
		}
		expect(await enterDesk(['theme=dark', own], rights)).not.toBeNull();
	});

	it('of a person who was removed stays ended when the person is invited again', async () => {
		const { now, rights, workspace, cookie } = await shopWithOwner();
		await changePeople(workspace.id, { change: 'invite', address: 'mia@shop.example', role: 'owner' }, rights);
		const cookies = [await cookie()];
		now.ms += 1000;
		await changePeople(workspace.id, { change: 'remove', address: 'ida@shop.example' }, rights);
		expect(await enterDesk(cookies, rights)).toBeNull();
		await changePeople(workspace.id, { change: 'invite', address: 'ida@shop.example', role: 'owner' }, rights);
		expect(await enterDesk(cookies, rights)).toBeNull();
	});
});
