import { describe, expect, it } from '@jest/globals';
import { chatNotifier } from '../../../shared/adapters/https/chat.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { LeadNotice } from '../../../shared/ports/team-notifier.ts';
import { teamPost } from '../../../shared/presentation/team-post.ts';
import { samples } from '../../support/sample-records.ts';
import { answered, timings } from '../../support/webhooks/deliveries.ts';

// Tests the chat post about a lead, and what the service does with the chat's response.

const LINK = 'https://api.example/v1/callback-links/01.secret';
const notice = (to: string, name = 'Ada'): LeadNotice => ({
	to,
	workspace_name: 'Shop',
	locale: { language: 'en', time_zone: 'UTC' },
	lead: {
		...samples.callback_lead,
		name,
		visitor_phone_masked: '+1********01',
		source_url: 'https://shop.example/@channel',
	},
	link: { url: LINK, expires_at: '2026-11-24T10:00:00.000Z' },
});

async function posted(to: string, name?: string) {
	const posts: { readonly url: string; readonly body: string }[] = [];
	const send = async (request: { readonly url: string; readonly body: string }) => {
		posts.push(request);
		return { ...answered(200), body: '1' } as SendResult;
	};
	expect(await chatNotifier({ send }).tell(notice(to, name))).toEqual({ notified: 'sent' });
	expect(posts.map(({ url }) => url)).toEqual([to]);
	return JSON.parse(posts[0]?.body ?? '');
}

describe('a post about a lead', () => {
	it('is a text with the masked number and the one-time link', async () => {
		const { text, ...more } = await posted('https://chat.example/hooks/1');
		expect(text).toContain('Ada asked to be called back.');
		expect(text).toContain('01');
		expect(text).toContain(LINK);
		expect(more).toEqual({});
	});

	it.each([
		['https://hooks.slack.com/services/T/B/x', '&amp;'],
		['https://hooks.slack-gov.com/services/T/B/x', '&'],
		['https://chat.example/hooks/1', '&'],
		['https://chat.googleapis.com/v1/spaces/x', '&'],
	])('lets no visitor mention a channel or disguise a link: %s', async (to, ampersand) => {
		const { text } = await posted(to, '<!channel> @here <users/all> <https://evil.example|Shop> &');
		const shown = '\u2039!channel\u203a  (at) here \u2039users/all\u203a \u2039https evil. example|Shop\u203a';
		expect(text).toContain(`${shown} ${ampersand} asked`);
		expect(text).toContain('https://shop.example/%40channel');
	});

	it.each([
		'https://x.webhook.office.com/1',
		'https://prod-1.westeurope.logic.azure.com/workflows/1',
		'https://x.powerplatform.com/1',
	])('is, for Teams, a card without Markdown: %s', async (to) => {
		const { type, attachments } = await posted(to, '[Shop](https://evil.example)');
		expect([type, attachments[0].contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
		const [block] = attachments[0].content.body;
		expect([block.type, block.inlines[0].type]).toEqual(['RichTextBlock', 'TextRun']);
		expect(block.inlines[0].text).toContain('[Shop] (https evil. example)');
		expect(attachments[0].content.actions).toEqual([expect.objectContaining({ type: 'Action.OpenUrl', url: LINK })]);
	});
});

it('a card about missed calls has a button that leads to the desk, and none without a desk', () => {
	const { lead: _, link: __, ...addressee } = notice('https://x.webhook.office.com/1');
	const calls = [{ ...samples.call, rung: ['Ida'] }];
	const buttons = [LINK, null].map((desk_url) => {
		const { attachments } = JSON.parse(teamPost({ ...addressee, calls, more: 0, desk_url }));
		return attachments[0].content.actions;
	});
	expect(buttons).toEqual([[{ type: 'Action.OpenUrl', title: 'Call back on the desk', url: LINK }], undefined]);
});

it.each<[SendResult, object]>([
	[answered(204), { notified: 'sent' }],
	[answered(500), { notified: 'failed', code: 'http_500' }],
	[answered(429), { notified: 'failed', code: 'http_429' }],
	[answered(408), { notified: 'failed', code: 'http_408' }],
	[answered(302), { notified: 'failed', code: 'http_302' }],
	[answered(404), { notified: 'refused', code: 'http_404' }],
	[answered(410), { notified: 'refused', code: 'http_410' }],
	[
		{ kind: 'failure', error: 'target_blocked', hint: '', timings },
		{ notified: 'failed', code: 'target_blocked' },
	],
])('a chat’s answer %j means %j', async (result, outcome) => {
	const notifier = chatNotifier({ send: async () => result });
	expect(await notifier.tell(notice('https://chat.example/'))).toEqual(outcome);
});

describe('the outcome of a post to a chat', () => {
	const failed = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error';
	const tell = (to: string, body: string, status = 200) =>
		chatNotifier({ send: async () => ({ ...answered(status), body }) as SendResult }).tell(notice(to));
	const CONNECTOR = 'https://shop.webhook.office.com/webhookb2/1';

	it.each([
		['1', { notified: 'sent' }],
		[' 1\n', { notified: 'sent' }],
		[`${failed} 429 with ContextId tcid=1`, { notified: 'failed', code: 'http_429' }],
		[`${failed} 404 with ContextId tcid=1`, { notified: 'refused', code: 'http_404' }],
		[`${failed} 413 with ContextId tcid=1`, { notified: 'refused', code: 'http_413' }],
		[`${failed} 500`, { notified: 'failed', code: 'http_500' }],
		['Summary or Text is required.', { notified: 'failed', code: 'http_503' }],
		['', { notified: 'failed', code: 'http_503' }],
	])(
		'follows the body in which Microsoft Teams says what happened, because Teams always answers 200: %j',
		async (body, outcome) => {
			expect(await tell(CONNECTOR, body)).toEqual(outcome);
			expect(await tell('https://outlook.office.com/webhook/1', body)).toEqual(outcome);
		},
	);

	it('follows the status for Workflows of Teams, for other chats, and for a status other than 200', async () => {
		for (const to of ['https://prod-1.westeurope.logic.azure.com/1', 'https://webhook.office.com.example/1']) {
			expect(await tell(to, 'a sentence')).toEqual({ notified: 'sent' });
		}
		expect(await tell(CONNECTOR, '', 202)).toEqual({ notified: 'sent' });
		expect(await tell(CONNECTOR, '1', 410)).toEqual({ notified: 'refused', code: 'http_410' });
	});
});
