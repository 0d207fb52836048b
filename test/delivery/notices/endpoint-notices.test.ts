import { describe, expect, it } from '@jest/globals';
import { chatNotifier } from '../../../shared/adapters/https/chat.ts';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { jsonLog } from '../../../shared/adapters/log.ts';
import { NOTICE_SCHEDULE_SECONDS } from '../../../shared/domain/notices/team-notice.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { Messages } from '../../../shared/ports/registry.ts';
import type { TeamMessage } from '../../../shared/ports/team-notifier.ts';
import { teamMail } from '../../../shared/presentation/team-mail.ts';
import { judgeDeadLetter } from '../../../shared/use-cases/dead-letters/judge-dead-letter.ts';
import { notifyTeam } from '../../../shared/use-cases/notices/notify-team.ts';
import { type AttemptDeps, attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { noHandover } from '../../support/no-handover.ts';
import { samples } from '../../support/sample-records.ts';
import { another, answered, oneDelivery, WORKSPACE } from '../../support/webhooks/deliveries.ts';
import { always, put } from '../../support/writes.ts';

// Tests the messages to the team about webhook endpoints. A message is caused by an attempt, and ends as a chat post and a
// mail.

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const chat = { origin: 'https://chat.example', sealed: 'https://chat.example/hooks/secret-room' };

/** A team with a mail address and a chat, and an endpoint whose URL has a secret in its query. */
async function team(changes: Partial<Workspace> = {}) {
	const w = await oneDelivery({ url: 'https://hooks.example:8443/calls?token=secret-token' });
	const item: Workspace = {
		...samples.workspace,
		id: WORKSPACE,
		language: 'en',
		team_email: 'team@shop.example',
		team_webhook: chat,
		...changes,
	};
	await w.store.commit([put('workspace', item, always)]);
	const mails: TeamMessage[] = [];
	const posts: { readonly url: string; readonly body: string }[] = [];
	const lines: string[] = [];
	const dead: unknown[] = [];
	/** The next responses of the chat. When none is left, it accepts the post. */
	const answers: SendResult[] = [];
	let asked: { readonly message: Messages['team-notices']; readonly at_ms: number }[] = [];
	const { queues } = w.deps;
	const log = jsonLog({}, (line) => lines.push(line));
	const queueing: Pick<AttemptDeps, 'log' | 'queues'> = {
		log,
		queues: {
			async send(queue, messages) {
				for (const { message, delay_seconds } of messages) {
					if (!('notice_id' in message)) continue;
					if (queue === 'dead-letters') dead.push(message);
					else asked.push({ message, at_ms: w.clock.now_ms + delay_seconds * 1000 });
				}
				return queues.send(queue, messages);
			},
		},
	};
	Object.assign(w.deps, queueing);
	const deps = {
		...w.deps,
		ids: ulidIds,
		schedule_seconds: NOTICE_SCHEDULE_SECONDS,
		planHandover: noHandover,
		link_base_url: 'https://api.example/v1',
		notifier: {
			async tell(message: TeamMessage) {
				mails.push(message);
				return { notified: 'sent' } as const;
			},
		},
		chat: chatNotifier({
			async send(request) {
				posts.push(request);
				return answers.shift() ?? answered(200);
			},
		}),
	};
	return {
		...w,
		w,
		mails,
		posts,
		lines,
		dead,
		answers,
		texts: () => posts.map(({ body }) => JSON.parse(body).text as string),
		/** Lets this many minutes pass, in which the sweep, the deliveries and the messages to the team run. */
		async pass(minutes: number): Promise<void> {
			for (let minute = 0; minute < minutes; minute += 1) {
				await w.live(MINUTE_MS);
				const due = asked.filter(({ at_ms }) => at_ms <= w.clock.now_ms);
				asked = asked.filter((one) => !due.includes(one));
				for (const { message } of due) if ('notice_id' in message) await notifyTeam(message, deps);
			}
		},
	};
}

/** Makes this many deliveries fail at their only attempt. */
async function giveUp({ w, script }: Awaited<ReturnType<typeof team>>, ids: readonly number[]): Promise<void> {
	Object.assign(w.deps, { schedule_seconds: [0] });
	for (const n of ids) {
		script.push(answered(500));
		await attemptDelivery(await another(w, n), w.deps);
	}
}

describe('an endpoint that answered 410', () => {
	it('causes one mail and one post to the chat, with advice and without the secrets of its URL', async () => {
		const given = await team();
		given.script.push(answered(410));
		await attemptDelivery(given.message, given.w.deps);
		for (const n of [1, 2, 3]) await attemptDelivery(await another(given.w, n), given.w.deps);
		await given.pass(10);

		const [text = ''] = given.texts();
		expect([given.posts.map(({ url }) => url), given.mails.map(({ to }) => to)]).toEqual([
			['https://chat.example/hooks/secret-room'],
			['team@shop.example'],
		]);
		const id = given.endpoint.id;
		expect(text).toBe(`We switched off a webhook endpoint.

Endpoint: hooks.example:8443/calls
Reason: It answered 410 (Gone).
When: November 9, 2026, 1:00 PM (Copenhagen)

Fix the receiver, then enable the endpoint and send what was held:
PATCH /v1/webhook-endpoints/${id} {"status":"enabled"}
POST /v1/webhook-endpoints/${id}/recover {"since":"2026-11-05T12:00:00.000Z","mode":"failed"}

Look at the endpoint:
npm run ops -- endpoint status --workspace ${WORKSPACE} --endpoint ${id}

We keep its events for 30 days.
`);
		const [mail] = given.mails.map(teamMail);
		expect(mail).toMatchObject({ subject: 'We switched off a webhook endpoint: hooks.example:8443', text });
		expect(`${text}${mail?.html}${given.lines.join('')}`).not.toMatch(/secret-token|secret-room|whsec_/);
	});

	it('causes another message if it is enabled and then disabled again; it causes none if it is enabled before the message is sent', async () => {
		const given = await team();
		const off = async (n: number) => {
			given.script.push(answered(410));
			await attemptDelivery(await another(given.w, n), given.w.deps);
		};
		const enable = async () => {
			const key = { workspace_id: WORKSPACE, id: given.endpoint.id };
			const seen = await given.store.get('webhook_endpoint', key);
			if (seen === null) throw new Error('the endpoint is gone');
			const item = { ...seen, version: seen.version + 1, status: 'enabled', disabled_reason: null } as const;
			await given.store.commit([put('webhook_endpoint', item, always)]);
		};
		await off(1);
		await given.pass(2);
		await enable();
		await off(2);
		await enable();
		await given.pass(2);
		expect(given.posts).toHaveLength(1);
		await off(3);
		await given.pass(2);
		expect(given.posts).toHaveLength(2);
	});

	it('causes a message in the language of the team', async () => {
		const given = await team({ language: 'de', team_email: null });
		given.script.push(answered(410));
		await attemptDelivery(given.message, given.w.deps);
		await given.pass(2);
		expect(given.texts()[0]).toMatch(/^Wir haben einen Webhook-Endpunkt abgeschaltet\./);
		expect(given.mails).toEqual([]);
	});

	it('causes no notice if the workspace has no channel', async () => {
		const given = await team({ team_email: null, team_webhook: null });
		given.script.push(answered(410));
		await attemptDelivery(given.message, given.w.deps);
		await given.pass(2);
		expect([given.mails, given.posts, given.dead]).toEqual([[], [], []]);
	});
});

describe('exhausted deliveries', () => {
	it('cause one message a day for each endpoint, however many deliveries there are', async () => {
		const given = await team();
		await giveUp(given, [1, 2, 3, 4, 5, 6, 7, 8]);
		await given.pass(3);
		await giveUp(given, [9, 10]);
		await given.pass(3);
		expect([given.texts().length, given.mails.length]).toEqual([1, 1]);
		expect(given.texts()[0]).toContain('Every attempt failed. The last one: HTTP 500.');
		expect(given.texts()[0]).toMatch(/POST \S+\/recover \{"since":"2026-11-09T12:00:00.000Z","mode":"failed"\}/);
		expect(given.w.dead).toHaveLength(10);

		given.clock.now_ms += DAY_MS;
		await giveUp(given, [11, 12]);
		await given.pass(3);
		expect([given.texts().length, given.mails.length]).toEqual([2, 2]);
	});

	it('cause no message after the endpoint was deleted', async () => {
		const given = await team();
		await giveUp(given, [1]);
		const key = { workspace_id: WORKSPACE, id: given.endpoint.id };
		await given.store.commit([{ op: 'remove', record: 'webhook_endpoint', key, guard: always }]);
		await given.pass(3);
		expect([given.mails, given.posts]).toEqual([[], []]);
	});

	it('cause a post once the chat works again, and no second mail', async () => {
		const given = await team();
		given.answers.push(answered(503), answered(429));
		await giveUp(given, [1]);
		await given.pass(10);
		expect([given.posts.length, given.mails.length]).toEqual([3, 1]);
	});

	it('leave a dead letter if the chat permanently rejects the notice, so that operators can send it again', async () => {
		const given = await team({ team_email: null });
		given.answers.push(answered(404));
		await giveUp(given, [1]);
		await given.pass(3);
		const pointers = given.dead as readonly Messages['team-notices'][];
		expect(pointers).toEqual([{ notice_id: `endpoint#${given.endpoint.id}#gave_up#2026-11-09#chat` }]);
		for (const message of pointers) {
			const judged = await judgeDeadLetter(
				{ kind: 'team_notice', message },
				{ store: given.store, now_ms: given.clock.now_ms },
			);
			expect(judged.verdict).toMatchObject({ verdict: 'tell_again' });
		}
	});
});

it('an endpoint that its owner disables causes no notice, and neither does a retry or a success', async () => {
	const given = await team();
	given.script.push(answered(500), answered(200));
	await attemptDelivery(given.message, given.w.deps);
	await given.pass(5);
	expect((await given.read()).status).toBe('succeeded');
	const item = { ...given.endpoint, version: 9, status: 'disabled', disabled_reason: 'manual' } as const;
	await given.store.commit([put('webhook_endpoint', item, always)]);
	await attemptDelivery(await another(given.w, 1), given.w.deps);
	await given.pass(3);
	expect([given.mails, given.posts, given.lines.filter((line) => line.includes('team'))]).toEqual([[], [], []]);
});
