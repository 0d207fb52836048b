import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { NOTICE_SCHEDULE_SECONDS } from '../../../shared/domain/notices/team-notice.ts';
import type { NotifyOutcome, TeamMessage } from '../../../shared/ports/team-notifier.ts';
import { teamMail } from '../../../shared/presentation/team-mail.ts';
import { TEST_NOTICES_PER_HOUR } from '../../../shared/use-cases/desk/test-notice.ts';
import { notifyTeam } from '../../../shared/use-cases/notices/notify-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { noHandover } from '../../support/no-handover.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { always, put } from '../../support/writes.ts';

const { newShop, pageAt, send, signIn, post, store, deps, codeOf } = deskInMemory();

const CHAT = { origin: 'https://chat.example', sealed: 'sealed https://chat.example/hook' };

async function shopWith(changes: { readonly chat?: boolean; readonly mail?: boolean; readonly missed?: boolean }) {
	const { chat = false, mail = true, missed = true } = changes;
	const shop = await newShop('US', mail ? {} : { team_email: null });
	const ida = await signIn(shop.owner, shop.id);
	await changeWorkspace(shop.id, { tells_missed_calls: missed }, deps);
	const workspace = await store.get('workspace', { id: shop.id });
	if (workspace !== null && chat)
		await store.commit([
			put('workspace', { ...workspace, version: workspace.version + 1, team_webhook: CHAT }, always),
		]);
	const page = async () => (await send(pageAt('notices'), ida)).html;
	const tests = async () => formsIn(await page()).filter(({ action }) => action === 'notices_tested');
	return { ...shop, ida, page, tests };
}

/** The rows of the table: the label, and the words of each cell. */
const rowsOf = (html: string) =>
	[...html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(([, label = '', cells = '']) => [
		label,
		...[...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, '')),
	]);

it.each([
	[{ mail: true }, 'Yes', 'No', 'Yes', 'No', ['Test', '']],
	[{ mail: true, chat: true }, 'Yes', 'Yes', 'Yes', 'Yes', ['Test', 'Test']],
	[{ mail: true, chat: true, missed: false }, 'Yes', 'Yes', 'No', 'No', ['Test', 'Test']],
	[{ mail: false, chat: true }, 'No', 'Yes', 'No', 'Yes', ['', 'Test']],
	[{ mail: false }, 'No', 'No', 'No', 'No', null],
] as const)(
	'a shop with %j reads where each kind of message goes',
	async (changes, mail, chat, missedMail, missedChat, tests) => {
		const html = await (await shopWith(changes)).page();
		expect([...html.matchAll(/<th scope="col">([^<]*)/g)].map(([, head]) => head)).toEqual(['Email', 'Chat']);
		expect(rowsOf(html)).toEqual([
			['Callback requests', mail, chat],
			['Missed calls', missedMail, missedChat],
			['Webhook endpoints that fail', mail, chat],
			['New API keys', 'Yes', 'No'],
			['New signing secrets', 'Yes', 'No'],
			['Changes to the owners or to this address', 'Yes', 'No'],
			...(tests === null ? [] : [['Send a test', ...tests]]),
		]);
		expect([...html.matchAll(/aria-label="(Test: [^"]*)"/g)].map(([, name]) => name)).toEqual(
			[mail === 'Yes' && 'Test: Email', chat === 'Yes' && 'Test: Chat'].filter((name) => name !== false),
		);
	},
);

const queued: string[] = [];
Object.assign(deps.queues, {
	send: async (queue: string, messages: readonly { readonly message: object }[]) => {
		for (const { message } of messages) if ('notice_id' in message) queued.push(String(message.notice_id));
		return { sent: messages.length, failed: 0, queue };
	},
});

/** Lets the worker handle the queue, while the mail service and the chat respond with `outcome`. Returns the sent messages. */
async function told(outcome: NotifyOutcome): Promise<readonly TeamMessage[]> {
	const messages: TeamMessage[] = [];
	const tell = async (message: TeamMessage) => {
		messages.push(message);
		return outcome;
	};
	const ports = {
		...deps,
		log: memoryLog().log,
		notifier: { tell },
		chat: { tell },
		link_base_url: deps.public_base_url,
		schedule_seconds: NOTICE_SCHEDULE_SECONDS,
		planHandover: noHandover,
	};
	for (const notice_id of queued.splice(0)) await notifyTeam({ notice_id }, ports);
	return messages;
}

it('a test message goes the same way as other messages, to the mail address or the chat, and is listed in the activity', async () => {
	const { ida, tests, owner, name } = await shopWith({ chat: true });
	queued.length = 0;
	for (const form of await tests()) expect((await post(ida, 'notices', form)).status).toBe(303);
	const messages = await told({ notified: 'sent' });
	expect(messages.map(({ to }) => to)).toEqual([owner, 'https://chat.example/hook']);
	for (const message of messages) {
		const { subject, text, html } = teamMail(message);
		expect(subject).toBe(`Test: messages of ${name} arrive here`);
		for (const part of [owner, 'Callback requests and missed calls come the same way'])
			expect([text, html]).toEqual([expect.stringContaining(part), expect.stringContaining(part)]);
	}
	const { html } = await send(pageAt('log'), ida);
	expect(html).toContain(`sent a test message to <bdi>${owner}</bdi>`);
	expect(html).toContain('sent a test message to <bdi>https://chat.example</bdi>');
	expect(html).not.toContain('chat.example/hook');
});

it('the page says since when test messages have failed, until a test message has arrived', async () => {
	const { ida, tests, page } = await shopWith({ chat: true });
	queued.length = 0;
	const press = async () => {
		for (const form of await tests()) await post(ida, 'notices', form);
	};
	await press();
	await told({ notified: 'refused', code: 'http_404' });
	expect(await page()).toMatch(/Posts there have failed since [^<]*: http_404\./);
	expect(await page()).toMatch(/Emails to this address have failed since [^<]*: http_404\./);
	await press();
	await told({ notified: 'sent' });
	expect(await page()).not.toContain('failed since');
});

it('a desk sends only a few test messages in an hour, and none to a channel that is not set', async () => {
	const { ida, tests } = await shopWith({});
	const answers = [];
	for (let nth = 0; nth <= TEST_NOTICES_PER_HOUR; nth += 1) {
		const [form = {}] = await tests();
		answers.push(codeOf(await post(ida, 'notices', form)));
	}
	expect(answers).toEqual([...Array(TEST_NOTICES_PER_HOUR).fill(undefined), 'notice_tests_enough']);
	const other = await shopWith({});
	for (const channel of ['chat', 'sms', ''])
		expect((await post(other.ida, 'notices', { action: 'notices_tested', channel })).status).toBeGreaterThanOrEqual(
			400,
		);
});

it('a shop with a chat chooses for each channel whether missed calls are announced there; without a chat, it has one choice', async () => {
	const { id, ida, page } = await shopWith({ chat: true });
	const current = async () => {
		const { tells_missed_calls, missed_calls_to } = (await store.get('workspace', { id })) ?? {};
		return [tells_missed_calls, missed_calls_to];
	};
	const formOf = async () => formsIn(await page()).find(({ action }) => action === 'notices') ?? {};
	const { missed_mail, missed_chat, ...form } = await formOf();
	// No channel has been chosen so far.
	expect([missed_mail, missed_chat, await current()]).toEqual(['yes', 'yes', [true, undefined]]);
	expect((await post(ida, 'notices', { ...form, missed_chat: 'yes' })).status).toBe(303);
	expect(await current()).toEqual([true, ['chat']]);
	expect(rowsOf(await page())[1]).toEqual(['Missed calls', 'No', 'Yes']);
	const next = await formOf();
	expect([next['missed_mail'], next['missed_chat']]).toEqual([undefined, 'yes']);
	// A choice that another person has made since the form was loaded is not overwritten.
	expect((await post(ida, 'notices', { ...form, shown: 'later', missed_mail: 'yes' })).status).toBe(409);
	expect((await post(ida, 'notices', { ...next, missed_chat: '' })).status).toBe(303);
	expect(await current()).toEqual([false, []]);
	// A page of the previous release sends this form, and so does the page of a shop without a chat.
	const { by_channel: _, seen = '', token = '', team_email = '' } = await formOf();
	const former = { action: 'notices', token, seen, team_email, shown: 'former', tells_missed_calls: 'yes' };
	expect((await post(ida, 'notices', former)).status).toBe(303);
	expect(await current()).toEqual([true, ['mail', 'chat']]);
});

it('a form of the previous release is accepted if the shop has not yet chosen channels', async () => {
	const { ida, page } = await shopWith({ chat: true });
	const { seen, team_email = '' } = formsIn(await page()).find(({ action }) => action === 'notices') ?? {};
	const saved = JSON.stringify({ team_email, tells_missed_calls: 'yes' });
	expect(seen).toBe(createHash('sha256').update(saved).digest('base64url').slice(0, 22));
	expect((await post(ida, 'notices', { action: 'notices', seen: seen ?? '', team_email, shown: 'x' })).status).toBe(
		303,
	);
});
