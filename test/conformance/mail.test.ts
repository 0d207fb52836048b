import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sesNotifier } from '../../shared/adapters/aws/mail.ts';
import type { TeamMessage } from '../../shared/ports/team-notifier.ts';
import { leadMail } from '../../shared/presentation/lead-mail.ts';
import { type Fault, loseAnswer, startWire, type Wire, type WireAnswer } from '../support/aws/faulty-wire.ts';
import { testAws } from '../support/aws/stand-ins.ts';

let wire: Wire;
beforeAll(async () => {
	wire = await startWire(({ asked }) => (asked === SEND ? { status: 200, body: '{"MessageId":"1"}' } : notListed));
});
afterAll(() => wire.stop());
beforeEach(() => {
	wire.seen.splice(0);
	wire.mend();
});

const SEND = 'POST /v2/email/outbound-emails';
const refusal = (status: number, code: string): WireAnswer => {
	return { status, body: '{"message":"team@shop.example"}', error_type: `${code}:http://ses/` };
};
const notListed = refusal(404, 'NotFoundException');
const asked = () => wire.seen.map((request) => request.asked);
const sent = () => wire.seen.filter((request) => request.asked === SEND);
/** `failList` makes requests to the list of suppressed addresses fail. `failSending` makes requests to send a mail fail. */
const failList = (fault: Fault) =>
	wire.failAll((request, forward) => (request.asked === SEND ? forward() : fault(request, forward)));
const failSending = (fault: Fault) =>
	wire.failAll((request, forward) => (request.asked === SEND ? fault(request, forward) : forward()));

describe('mail', () => {
	const notice = {
		to: 'team@shop.example',
		workspace_name: 'Laden',
		locale: { language: 'de', time_zone: 'Europe/Berlin' },
		lead: {
			name: 'Jörg',
			note: null,
			visitor_phone_masked: '+49********01',
			source_url: 'https://shop.example/',
			created_at: '2026-11-21T10:00:00.000Z',
		},
		link: { url: 'https://api.example/v1/callback-links/x.y', expires_at: '2026-11-24T10:00:00.000Z' },
	} as const;
	const env = () => ({ ...testAws, AWS_ENDPOINT_URL_SESV2: wire.endpoint });
	const send = () => sesNotifier('calls@shop.example', env()).tell(notice);

	it('is sent by SendEmail in UTF-8 as text and as HTML, from the identity that was set up', async () => {
		expect(await send()).toEqual({ notified: 'sent' });
		const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
		const { subject, text, html } = leadMail(notice);
		expect(subject).toBe('Rückruf: Jörg, +49 ••• ••• ••01');
		expect(sent()).toHaveLength(1);
		expect(JSON.parse(sent()[0]?.body ?? '')).toEqual({
			FromEmailAddress: 'calls@shop.example',
			Destination: { ToAddresses: ['team@shop.example'] },
			Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } } },
		});
	});

	it.each([
		['team@shop.example', ['team@shop.example']],
		['ida@shop.example', undefined],
		['Ida@Shop.example', undefined],
		['ida+desk@shop.example', undefined],
		[null, undefined],
	] as const)(
		'with a link to the desk has the workspace’s team as its reply address, unless the team is the recipient: %s',
		async (team_email, replyTo) => {
			const { lead: _, link, ...addressee } = notice;
			const desk = { ...addressee, to: 'ida@shop.example', reason: 'sign_in', desk_link: link, team_email } as const;
			await sesNotifier('calls@shop.example', env()).tell(desk);
			const { ReplyToAddresses, Destination } = JSON.parse(sent()[0]?.body ?? '');
			expect([Destination.ToAddresses, ReplyToAddresses]).toEqual([['ida@shop.example'], replyTo]);
		},
	);

	it.each(['InvalidSignatureException', 'RequestExpired', 'RequestTimeTooSkewed', 'SignatureDoesNotMatch'])(
		'is signed and sent again if SES refuses the signature once: %s',
		async (code) => {
			let refusals = 1;
			failSending(async (_request, forward) => (refusals-- > 0 ? refusal(403, code) : forward()));
			expect(await send()).toEqual({ notified: 'sent' });
			expect(sent()).toHaveLength(2);
			failSending(async () => refusal(403, code));
			expect(await send()).toEqual({ notified: 'failed', code });
			expect(sent()).toHaveLength(4);
		},
	);

	const { lead, link, ...addressee } = notice;
	const { created_at: at } = lead;
	const made = { what: 'key_created', about: 'server', by: 'ida@shop.example', owner: addressee.to, at } as const;
	const fact = { fact: 'disabled', endpoint_id: 'x', at, reason: 'gone' } as const;
	const call = { ...lead, id: 'x', visitor_name: null, rung: [], failure_reason: 'no_agent_answer' as const };
	const automatic = [{ Name: 'Auto-Submitted', Value: 'auto-generated' }];
	it.each<readonly [string, TeamMessage, unknown]>([
		['callback request', notice, undefined],
		[
			'missed call',
			{ ...addressee, calls: [call], more: 0, desk_url: 'https://api.example/v1/desk/pages/today' },
			undefined,
		],
		['link to the desk', { ...addressee, reason: 'sign_in', desk_link: link, team_email: addressee.to }, automatic],
		['new secret', { ...addressee, made, desk_url: 'https://api.example/v1/desk/developers/keys' }, automatic],
		['endpoint', { ...addressee, fact, workspace_id: 'x', url: 'https://hooks.shop.example/' }, automatic],
	])(
		'about a %s is marked as automatic only if no person has to answer it, and never names its recipient as the reply address',
		async (_, message, headers) => {
			await sesNotifier('calls@shop.example', env()).tell(message);
			const { ReplyToAddresses, Content } = JSON.parse(sent()[0]?.body ?? '');
			expect([Content.Simple.Headers, ReplyToAddresses]).toEqual([headers, undefined]);
		},
	);

	it.each([
		['a malformed message', 400, 'BadRequestException', 'refused'],
		['a sender that is not verified yet', 400, 'MessageRejected', 'failed'],
		['a rate that is spent', 429, 'TooManyRequestsException', 'failed'],
		['a fault of theirs', 500, 'InternalServiceErrorException', 'failed'],
	] as const)(
		'that SES refuses because of %s is sent only once, and the outcome has the code of SES',
		async (_, status, code, notified) => {
			failSending(async () => refusal(status, code));
			expect(await send()).toEqual({ notified, code });
			expect(sent()).toHaveLength(1);
		},
	);

	it('whose response is lost is sent once, and may be retried', async () => {
		failSending(loseAnswer);
		expect(await send()).toMatchObject({ notified: 'failed' });
		expect(sent()).toHaveLength(1);
	});

	it.each(['BOUNCE', 'COMPLAINT'])('is not sent to an address that is suppressed for a %s', async (Reason) => {
		const SuppressedDestination = { EmailAddress: notice.to, Reason, LastUpdateTime: 1_795_000_000 };
		failList(async () => ({ status: 200, body: JSON.stringify({ SuppressedDestination }) }));
		expect(await send()).toEqual({ notified: 'blocked', reason: Reason.toLowerCase() });
		expect(asked()).toEqual(['GET /v2/email/suppression/addresses/team%40shop.example']);
	});

	it('is sent only after its address was also checked in lower case, because SES ignores case when it sends, but not when it is asked about an address', async () => {
		await sesNotifier('calls@shop.example', env()).tell({ ...notice, to: 'Team@Shop.example' });
		const lookUp = (address: string) => `GET /v2/email/suppression/addresses/${address}`;
		expect(asked()).toEqual([lookUp('Team%40Shop.example'), lookUp('team%40shop.example'), SEND]);
	});

	it('is sent if SES does not say whether the address is suppressed; the outcome says why SES did not', async () => {
		failList(async () => refusal(403, 'AccessDeniedException'));
		expect(await send()).toEqual({ notified: 'sent', unchecked: 'AccessDeniedException' });
		expect(sent()).toHaveLength(1);
	});

	it('is sent after a second check for suppression if SES had too many requests at the first', async () => {
		wire.fail(async () => refusal(429, 'TooManyRequestsException'));
		expect(await send()).toEqual({ notified: 'sent' });
		expect(asked()).toHaveLength(3);
	});
});
