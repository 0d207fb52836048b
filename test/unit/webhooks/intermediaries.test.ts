import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chatNotifier } from '../../../shared/adapters/https/chat.ts';
import { attemptRecord, judgeAttempt, type SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { DECISIVE_HEADERS } from '../../../shared/domain/webhooks/intermediary.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import { samples } from '../../support/sample-records.ts';
import { timings } from '../../support/webhooks/deliveries.ts';

// Tests how the service treats responses from firewalls and proxies in front of a receiver, for webhooks and for chats.

const NOW = Date.parse('2026-11-09T12:00:00.000Z');
const response = (status: number, headers: Readonly<Record<string, string>>, body = ''): SendResult => ({
	kind: 'response',
	status,
	headers,
	body,
	timings,
});
const delivery = newDelivery(samples.event, samples.webhook_endpoint, NOW);
const webhook = (result: SendResult) => {
	const context = { now_ms: NOW, random: 0, schedule_seconds: RETRY_SCHEDULE_SECONDS };
	const { outcome } = judgeAttempt(result, delivery, context);
	const { error, hint } = attemptRecord(1, 'then', result);
	return { outcome, error, hint };
};
const chat = (result: SendResult) =>
	chatNotifier({ send: async () => result }).tell({
		to: 'https://chat.example/hooks/1',
		workspace_name: 'Shop',
		locale: { language: 'en', time_zone: 'UTC' },
		calls: [],
		more: 0,
		desk_url: null,
	});

/** For each firewall: headers with which it marks a response as its own, its name in hints, and its code in the log. */
const GUARDS = [
	[{ 'x-amzn-waf-action': 'challenge' }, 'AWS WAF', 'guard_aws_waf'],
	[{ 'x-amzn-waf-action': 'captcha' }, 'AWS WAF', 'guard_aws_waf'],
	[{ 'x-amzn-waf-action': ' Challenge' }, 'AWS WAF', 'guard_aws_waf'],
	[{ 'cf-mitigated': 'challenge', server: 'cloudflare' }, 'Cloudflare', 'guard_cloudflare'],
	[{ 'cf-mitigated': 'challenge, challenge' }, 'Cloudflare', 'guard_cloudflare'],
	[{ 'sg-captcha': 'challenge', server: 'nginx' }, 'SiteGround', 'guard_siteground'],
	[{ 'x-vercel-mitigated': 'challenge' }, 'Vercel', 'guard_vercel'],
	[{ 'x-vercel-mitigated': 'deny' }, 'Vercel', 'guard_vercel'],
	[{ 'x-sucuri-block': 'FBP007' }, 'Sucuri', 'guard_sucuri'],
	[{ 'x-goog-iap-generated-response': 'true' }, 'Identity-Aware Proxy', 'guard_google_iap'],
	[{ 'ngrok-error-code': 'ERR_NGROK_6024' }, 'ngrok', 'guard_ngrok'],
] as const;

describe('an answer that a firewall or proxy marks as its own', () => {
	it.each(GUARDS)(
		'with %j is retried at any status, and the hint names the firewall or proxy',
		async (headers, name, code) => {
			for (const status of [200, 202, 204, 302, 403, 405, 410, 429, 503]) {
				const made = webhook(response(status, headers));
				expect(made).toMatchObject({ outcome: 'retry', error: 'http_status' });
				expect(made.hint).toContain(name);
				expect(made.hint).toContain(` answered ${status} in front of the receiver`);
				expect(await chat(response(status, headers))).toEqual({ notified: 'failed', code });
			}
		},
	);

	it('never counts as delivered, gone or permanently refused, with any body and other headers', async () => {
		const guards = fc.constantFrom(...GUARDS.map(([headers]) => headers));
		const others = fc.dictionary(fc.constantFrom('server', 'x-cdn', 'retry-after', 'location'), fc.string());
		const statuses = fc.integer({ min: 200, max: 599 });
		await fc.assert(
			fc.asyncProperty(statuses, guards, others, fc.string(), async (status, guard, more, body) => {
				const result = response(status, { ...more, ...guard }, body);
				expect(webhook(result).outcome).toBe('retry');
				expect((await chat(result)).notified).toBe('failed');
			}),
		);
	});
});

describe('an answer that no firewall or proxy marks as its own', () => {
	it.each([
		[202, {}],
		[200, { server: 'cloudflare' }],
		[200, { server: 'cloudflare', 'cf-mitigated': '' }],
		[200, { 'x-datadome': 'protected' }],
		[200, { 'x-iinfo': '4-13055499-13055501 NNNN CT(182 -1 0) RT(1 0) q(0 0 1 4) r(6 6) U1', 'x-cdn': 'Imperva' }],
		[204, { server: 'AkamaiGHost' }],
		[200, { 'x-amzn-waf-action': 'allow' }],
		[202, { 'sg-captcha': 'passed' }],
		[200, { 'www-authenticate': 'Basic realm="next"' }],
	])('%i with %j is a success', async (status, headers) => {
		expect(webhook(response(status, headers))).toEqual({ outcome: 'succeeded', error: null, hint: null });
		expect(await chat(response(status, headers))).toEqual({ notified: 'sent' });
	});

	it('is judged by its status alone, not by a body that looks like a challenge', () => {
		const bodies = ['<title>Just a moment...</title>', 'Incapsula incident ID: 1', 'cf-mitigated: challenge'];
		for (const body of bodies) expect(webhook(response(200, {}, body)).outcome).toBe('succeeded');
	});
});

describe('the hint to a refusal', () => {
	it.each<[number, Record<string, string>, string]>([
		[520, { server: 'cloudflare' }, 'Cloudflare answered 520 in front of the receiver'],
		[522, { server: 'cloudflare' }, 'Cloudflare answered 522 in front of the receiver'],
		[530, { server: 'cloudflare' }, 'Cloudflare answered 530 in front of the receiver'],
		[403, { server: 'cloudflare' }, 'Cloudflare or the receiver behind it answered 403'],
		[403, { 'x-datadome': 'protected' }, 'DataDome or the receiver'],
		[403, { 'x-iinfo': '1-2-3' }, 'Imperva or the receiver'],
		[403, { 'x-cdn': 'Incapsula' }, 'Imperva or the receiver'],
		[403, { server: 'AkamaiGHost' }, 'Akamai answered 403'],
		[403, { server: 'CloudFront' }, 'CloudFront answered 403'],
		[502, { server: 'awselb/2.0' }, 'Elastic Load Balancing'],
		[403, { 'x-amzn-errortype': 'MissingAuthenticationTokenException' }, 'API Gateway'],
		[401, { server: 'Vercel' }, 'x-vercel-protection-bypass'],
		[404, { server: 'Vercel', 'x-vercel-error': 'DEPLOYMENT_NOT_FOUND' }, "Vercel's logs"],
		[401, { 'www-authenticate': 'Basic realm="staging"' }, 'a user name and a password'],
		[401, { 'www-authenticate': 'Bearer' }, 'asks for a token'],
		[401, { 'www-authenticate': 'Negotiate' }, 'a way that webhooks cannot take'],
		[407, {}, 'A proxy or network'],
		[511, {}, 'A proxy or network'],
		[302, { location: 'https://shop.cloudflareaccess.com/cdn-cgi/access/login/x' }, 'leads to a sign-in'],
		[302, { location: '/login?next=%2Fhook' }, 'leads to a sign-in'],
		[303, { location: 'https://shop.example/wp-login.php' }, 'leads to a sign-in'],
		[302, { location: '/users/sign_in' }, 'leads to a sign-in'],
		[307, { location: 'https://vercel.com/sso-api?url=x' }, 'leads to a sign-in'],
		[302, { location: 'https://script.googleusercontent.com/macros/echo?user_content_key=x' }, 'Google Apps Script'],
	])('names who may have answered: %i with %j: %s', (status, headers, words) => {
		const { outcome, hint } = webhook(response(status, headers));
		expect(outcome).toBe('retry');
		expect(hint).toContain(words);
	});

	it.each<[number, Record<string, string>, string]>([
		[401, {}, 'verify the signature'],
		[403, { server: 'nginx' }, 'verify the signature'],
		[401, { 'www-authenticate': 'Webhook' }, 'verify the signature'],
		[500, { server: 'cloudflare' }, 'it failed at its end'],
		[429, { server: 'cloudflare' }, 'Retry-After'],
		[405, { server: 'cloudflare' }, 'does not take POST'],
		[301, { location: 'https://shop.example/blogins' }, 'final address'],
		[301, { location: 'http://[' }, 'final address'],
	])('blames nothing but the receiver: %i with %j: %s', (status, headers, words) => {
		expect(webhook(response(status, headers)).hint).toContain(words);
	});

	it('is one line that no header can change', () => {
		const value = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom('cloudflare', 'Vercel', 'Basic x', 'CloudFront'),
		);
		const headers = fc.dictionary(fc.constantFrom(...DECISIVE_HEADERS), value);
		fc.assert(
			fc.property(fc.integer({ min: 300, max: 599 }), headers, (status, sent) => {
				expect(webhook(response(status, sent)).hint).toMatch(/^[\x20-\x7e]{40,420}$/);
			}),
		);
	});
});
