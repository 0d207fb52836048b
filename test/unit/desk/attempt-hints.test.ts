import { expect, it } from '@jest/globals';
import { newSession } from '../../../shared/domain/desk/session-cookie.ts';
import { attemptRecord, type SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { obstacleHint } from '../../../shared/domain/webhooks/receiver-hint.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { reasonOf } from '../../../shared/http/desk/webhooks/webhook-words.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { samples } from '../../support/sample-records.ts';
import { timings } from '../../support/webhooks/deliveries.ts';

// The API stores one English sentence with each failed attempt. The desk says the same in the language of its reader.

const NOW = Date.parse('2026-11-21T09:00:00.000Z');
const answered = (status: number, headers: Readonly<Record<string, string>> = {}): SendResult => ({
	kind: 'response',
	status,
	headers,
	body: '',
	timings,
});
const unreached = (obstacle: Parameters<typeof obstacleHint>[0]): SendResult => ({
	kind: 'failure',
	error: obstacle.error,
	hint: obstacleHint(obstacle),
	timings,
});

const known: Readonly<Record<string, SendResult>> = {
	gone: answered(410),
	too_many: answered(429),
	refused: answered(401),
	no_path: answered(404),
	no_post: answered(405),
	server_error: answered(503),
	not_2xx: answered(422),
	redirect: answered(308, { location: 'https://shop.example/hooks/' }),
	dns_not_found: unreached({ error: 'dns_not_found' }),
	dns_failed: unreached({ error: 'dns_failed' }),
	connect_refused: unreached({ error: 'connect_refused' }),
	connect_timeout: unreached({ error: 'connect_timeout' }),
	timeout: unreached({ error: 'timeout' }),
	connection_reset: unreached({ error: 'connection_reset' }),
	invalid_response: unreached({ error: 'invalid_response' }),
	internal: unreached({ error: 'internal' }),
	target_blocked: unreached({ error: 'target_blocked', reason: 'The host is on a private network.' }),
	expired: unreached({ error: 'tls_failed', fault: 'expired' }),
	not_yet_valid: unreached({ error: 'tls_failed', fault: 'not_yet_valid' }),
	other_name: unreached({ error: 'tls_failed', fault: 'other_name' }),
	not_public: unreached({ error: 'tls_failed', fault: 'not_public' }),
	no_intermediate: unreached({ error: 'tls_failed', fault: 'no_intermediate' }),
	client_certificate: unreached({ error: 'tls_failed', fault: 'client_certificate' }),
	not_tls: unreached({ error: 'tls_failed', fault: 'not_tls' }),
	other: unreached({ error: 'tls_failed', fault: 'other' }),
};
const at = (language: (typeof languages)[number]) => {
	const workspace = { ...samples.workspace, language };
	const address = 'dev@agency.example';
	const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address }, NOW);
	const person = { address, role: 'developer', sessions_from: '' } as const;
	return viewOf({ workspace, person, session, secret: new Uint8Array(32) }, NOW);
};
const drawn = (result: SendResult, language: (typeof languages)[number]) =>
	reasonOf(attemptRecord(1, '2026-11-21T08:00:00.000Z', result), 400, at(language)).markup;

it.each(languages)('each hint that has a code is drawn in %s', (language) => {
	const advice = new Map(Object.entries(deskTextsIn(language).advice));
	expect([...advice.keys()].toSorted()).toEqual(Object.keys(known).toSorted());
	for (const [code, result] of Object.entries(known)) {
		expect(drawn(result, language)).toContain(advice.get(code));
		expect(drawn(result, language)).not.toContain('lang="en"');
	}
});

it('a redirect’s hint names its target in each language', () => {
	expect(drawn(answered(308, { location: 'https://shop.example/hooks/' }), 'de')).toContain(
		'<code dir="ltr">https://shop.example/hooks/</code>',
	);
	expect(drawn(answered(308), 'de')).not.toContain('<code');
});

it.each([
	['a firewall in front of the receiver', answered(403, { 'cf-mitigated': 'challenge' }), 'Cloudflare answered 403'],
	['a sign-in', answered(302, { location: 'https://shop.example/login' }), 'it leads to a sign-in'],
	['a demand for a token', answered(401, { 'www-authenticate': 'Bearer' }), 'The server asks for a token (401)'],
])('the hint about %s stays in English, and says so to screen readers', (_, result, says) => {
	expect(drawn(result, 'de')).toMatch(/^<p lang="en" dir="ltr">/);
	expect(drawn(result, 'de')).toContain(says);
});

it('a hint of an earlier release is shown as it was stored', () => {
	const attempt = { ...attemptRecord(1, '2026-11-21T08:00:00.000Z', answered(503)), hint: 'It answered 503 then.' };
	expect(reasonOf(attempt, 400, at('de')).markup).toContain('<p lang="en" dir="ltr">It answered 503 then.</p>');
});
