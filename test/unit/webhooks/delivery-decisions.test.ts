import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { judgeAnswer, judgeAttempt, type SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { type AttemptError, attemptErrors, type Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { obstacleHint, type TlsFault } from '../../../shared/domain/webhooks/receiver-hint.ts';
import {
	nextAttemptAt,
	RETRY_SCHEDULE_SECONDS,
	retryAfterSeconds,
} from '../../../shared/domain/webhooks/retry-schedule.ts';
import { isPublic, parseTarget } from '../../../shared/domain/webhooks/ssrf-guard.ts';
import { newSecret, signatureHeaders } from '../../../shared/domain/webhooks/webhook-signature.ts';
import { anyCharacter } from '../../support/any-character.ts';

const NOW = Date.parse('2026-11-09T12:00:00.000Z');

describe('signatures', () => {
	it('verify with each live secret and with no other, for every body and number of secrets', () => {
		const secrets = fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }).map(newSecret), {
			minLength: 2,
			maxLength: 4,
		});
		const sent = fc.string({ unit: anyCharacter, maxLength: 200 }).map((text) => JSON.stringify({ id: 'e', text }));
		fc.assert(
			fc.property(secrets, sent, fc.stringMatching(/^[0-9A-Z]{26}$/), ([stranger = '', ...live], text, event_id) => {
				const headers = signatureHeaders({ secrets: live, event_id, body: text, now_ms: Date.now() });
				const verify =
					(secret: string, changed = text) =>
					() =>
						new Webhook(secret).verify(changed, headers);
				for (const secret of live) {
					expect(verify(secret)).not.toThrow();
					expect(verify(secret, `${text} `)).toThrow();
					const t = headers['webhook-timestamp'];
					const v1 = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex');
					expect(headers['service-signature']?.split(',')).toContain(`v1=${v1}`);
				}
				expect(verify(stranger)).toThrow();
				expect(headers['service-signature']?.split(',')).toHaveLength(live.length + 1);
			}),
			{ numRuns: 50 },
		);
	});
});

describe('the retry schedule', () => {
	const next = (made: number, random = 0, retry_after_seconds: number | null = null) =>
		nextAttemptAt({
			attempt_count: made,
			random,
			retry_after_seconds,
			now_ms: NOW,
			schedule_seconds: RETRY_SCHEDULE_SECONDS,
		});

	it('has 14 attempts over about 72 hours, and then ends', () => {
		expect(RETRY_SCHEDULE_SECONDS).toHaveLength(14);
		const hours = RETRY_SCHEDULE_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3600;
		expect(hours).toBeGreaterThan(71);
		expect(hours).toBeLessThan(73);
		expect(next(13)).not.toBeNull();
		expect(next(14)).toBeNull();
	});

	it('makes a retry wait at least the scheduled time, and at most a fifth longer', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 13 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (made, random) => {
				const waitMs = (RETRY_SCHEDULE_SECONDS[made] ?? 0) * 1000;
				const waited = (next(made, random) ?? 0) - NOW;
				expect(waited).toBeGreaterThanOrEqual(waitMs);
				expect(waited).toBeLessThanOrEqual(waitMs * 1.2 + 1);
			}),
		);
	});

	it.each([
		['120', 120],
		[' 7 ', 7],
		['0', 0],
		['43200', 43_200],
		['43201', 43_200],
		['999999', 43_200],
		['9'.repeat(400), 43_200],
		['Monday, 09-Nov-26 12:01:00 GMT', 60],
		['Mon Nov  9 12:01:00 2026', 60],
		['Mon, 09 Nov 2026 12:00:00.5 GMT', null],
		['Tue, 09 Nov 2027 12:00:00 GMT', 43_200],
		['Mon, 31 Feb 2026 99:00:00 GMT', null],
		['2026-11-09T12:01:00Z', null],
		['try 2030', null],
		['in 5 minutes', null],
		['120 seconds', null],
		['+60', null],
		['6e1', null],
		['0x3c', null],
		['60, 120', null],
		['\u0661', null],
		['Mon, 09 Nov 2026 12:01:00 GMT', 60],
		['Mon, 09 Nov 2026 11:00:00 GMT', 0],
		['soon', null],
		['-5', null],
		['1.5', null],
		['', null],
		[undefined, null],
	])('Retry-After %j means %j seconds', (header, expected) => {
		expect(retryAfterSeconds(header, NOW)).toBe(expected);
	});
});

const timings = { dns_ms: 1, connect_ms: 1, tls_ms: 1, first_byte_ms: 1, total_ms: 4 };
const answer = (status: number, headers: Record<string, string> = {}): SendResult => {
	return { kind: 'response', status, headers, body: '', timings };
};
const delivery = (schedule_position: number) => ({ schedule_position }) as Delivery;
const judge = (result: SendResult, position = 0) =>
	judgeAttempt(result, delivery(position), { now_ms: NOW, random: 0, schedule_seconds: RETRY_SCHEDULE_SECONDS });

describe('a delivery after an attempt', () => {
	it('has succeeded after any 2xx, ends after a 410, and is otherwise retried', () => {
		for (let status = 100; status <= 599; status += 1) {
			const refused = status === 410 ? 'gone' : 'retry';
			expect([status, judge(answer(status)).outcome]).toEqual([
				status,
				status >= 200 && status < 300 ? 'succeeded' : refused,
			]);
		}
		expect(judge(answer(500), 13).outcome).toBe('exhausted');
	});

	it('is due by Retry-After only after a 429 or 503, and only when Retry-After is later than the schedule', () => {
		const at = (status: number, seconds: string) => judge(answer(status, { 'retry-after': seconds }));
		expect(at(429, '600')).toEqual({ outcome: 'retry', at_ms: NOW + 600_000 });
		expect(at(503, '600')).toEqual({ outcome: 'retry', at_ms: NOW + 600_000 });
		expect(at(500, '600')).toEqual({ outcome: 'retry', at_ms: NOW + 5000 });
		expect(at(429, '1')).toEqual({ outcome: 'retry', at_ms: NOW + 5000 });
	});
});

describe('the hint for an error', () => {
	const tls: readonly TlsFault[] = [
		...(['expired', 'not_yet_valid', 'other_name', 'not_public'] as const),
		...(['no_intermediate', 'client_certificate', 'not_tls', 'other'] as const),
	];
	const status = (of: number, headers: Record<string, string> = {}) => judgeAnswer({ status: of, headers }).hint ?? '';
	const texts = {
		dns_not_found: [obstacleHint({ error: 'dns_not_found' })],
		dns_failed: [obstacleHint({ error: 'dns_failed' })],
		target_blocked: [obstacleHint({ error: 'target_blocked', reason: 'The host is local by its name.' })],
		connect_refused: [obstacleHint({ error: 'connect_refused' })],
		connect_timeout: [obstacleHint({ error: 'connect_timeout' })],
		tls_failed: tls.map((fault) => obstacleHint({ error: 'tls_failed', fault })),
		timeout: [obstacleHint({ error: 'timeout' })],
		connection_reset: [obstacleHint({ error: 'connection_reset' })],
		http_status: [400, 401, 404, 405, 410, 429, 500].map((each) => status(each)),
		redirect_not_followed: [status(301), status(302, { location: 'https://a.example/' })],
		invalid_response: [obstacleHint({ error: 'invalid_response' })],
		internal: [obstacleHint({ error: 'internal' })],
	} as const satisfies Record<AttemptError, readonly string[]>;

	it.each(Object.entries(texts))('says what happened and what to do: %s', (_, hints) => {
		for (const hint of hints) expect(hint).toMatch(/^[A-Z].{40,}\.$/);
		expect(new Set(hints).size).toBe(hints.length);
	});

	it('differs from that of every other error', () => {
		const all = Object.values(texts).flat();
		expect(new Set(all).size).toBe(all.length);
		expect(Object.keys(texts).sort()).toEqual([...attemptErrors].sort());
	});
});

describe('the targets of webhooks', () => {
	it.each([
		'0.0.0.0',
		'10.1.2.3',
		'100.64.0.1',
		'100.127.255.255',
		'127.0.0.1',
		'127.255.0.1',
		'169.254.169.254',
		'172.16.0.1',
		'172.31.255.255',
		'192.0.0.8',
		'192.0.2.1',
		'192.31.196.1',
		'192.52.193.1',
		'192.88.99.1',
		'192.168.0.1',
		'192.175.48.1',
		'198.18.0.1',
		'198.19.255.255',
		'198.51.100.1',
		'203.0.113.1',
		'224.0.0.1',
		'239.255.255.255',
		'240.0.0.1',
		'255.255.255.255',
		'::',
		'::1',
		'::ffff:8.8.8.8',
		'::ffff:127.0.0.1',
		'64:ff9b::808:808',
		'64:ff9b:1::1',
		'100::1',
		'2001::1',
		'2001:1ff:ffff::1',
		'2001:db8::1',
		'2002::1',
		'3fff::1',
		'3fff:fff::1',
		'fc00::1',
		'fd12:3456::1',
		'fe80::1',
		'fec0::1',
		'ff02::1',
		'4000::1',
		'5f00::1',
		'169.254.170.2',
		'169.254.0.0',
		'100.100.100.200',
		'192.0.0.0',
		'192.0.0.170',
		'192.0.0.255',
		'127.127.127.127',
		'::8.8.8.8',
		'::127.0.0.1',
		'0:0:0:0:0:ffff:7f00:1',
		'::ffff:0:127.0.0.1',
		'0000::0001',
		'64:ff9b::',
		'1fff::1',
		'fe80::1%eth0',
		'fd00:ec2::254',
		'ff0e::1',
		'2002:7f00:1::',
		'2001:0:4136::1',
		'2001:10::1',
		'2001:20::1',
		'2001:db8:ffff::1',
		'3fff:0:1::',
		'a000::1',
		'c000::1',
		'e000::1',
		'::ffff:169.254.169.254',
		'2001:1::1',
		'1.1.1.1 ',
		' 1.1.1.1',
		'1.1.1.1/8',
		'1.1.1.1\n',
		'[2600::1]',
		'2600::1::',
		'2600:::1',
		'+1.1.1.1',
		'1.1.1.-1',
		'',
		'localhost',
		'8.8.8',
		'8.8.8.8.8',
		'08.8.8.8',
		'256.1.1.1',
		'0x7f.0.0.1',
		'2130706433',
		'1::2::3',
	])('cannot have the address %s', (address) => {
		expect(isPublic(address)).toBe(false);
	});

	it.each([
		'1.1.1.1',
		'8.8.8.8',
		'9.255.255.255',
		'11.0.0.0',
		'100.63.255.255',
		'100.128.0.0',
		'172.15.255.255',
		'172.32.0.0',
		'192.0.1.1',
		'192.169.0.0',
		'198.17.255.255',
		'198.20.0.0',
		'223.255.255.255',
		'2600::1',
		'126.255.255.255',
		'128.0.0.0',
		'169.253.255.255',
		'169.255.0.0',
		'191.255.255.255',
		'192.0.3.0',
		'192.88.98.255',
		'192.88.100.0',
		'192.167.255.255',
		'198.51.99.255',
		'198.51.101.0',
		'203.0.112.255',
		'203.0.114.0',
		'1.0.0.0',
		'2001:200::1',
		'2001:4860:4860::8888',
		'2003::1',
		'2a00:1450::1',
		'3ffe::1',
		'2000::',
		'2001:db7::1',
		'2001:db9::',
		'2001:200::',
		'2001:ffff::1',
		'2003:0:0:0:0:0:0:1',
		'3ffe:ffff:ffff::1',
		'2A00:1450::ABCD',
	])('can have the address %s', (address) => {
		expect(isPublic(address)).toBe(true);
	});

	it.each([
		'http://a.example/',
		'ftp://a.example/',
		'//a.example',
		'a.example',
		'',
		' https://a.example/',
		'https://',
		'https://u@a.example/',
		'https://u:p@a.example/',
		'https://:p@a.example/',
		'https://a.example/#f',
		'https://a.example/#',
		'https://a.example\\@b.example/',
		'https://a.exa\tmple/',
		'https://a.example/\n',
		'https://hooks/',
		'https://localhost/',
		'https://LOCALHOST/',
		'https://localhost./',
		'https://x.localhost/',
		'https://intranet/',
		'https://a.local/',
		'https://a.internal/',
		'https://metadata.google.internal/',
		'https://nas.home.arpa/',
		'https://printer.lan/',
		'https://a.corp/',
		'https://a.home/',
		'https://a.intranet/',
		'https://a.private/',
		'https://127.0.0.1/',
		'https://127.1/',
		'https://2130706433/',
		'https://0x7f000001/',
		'https://0177.0.0.1/',
		'https://0/',
		'https://10.0.0.1/',
		'https://169.254.169.254/',
		'https://[::1]/',
		'https://[::ffff:7f00:1]/',
		'https://[fe80::1]/',
		'https://[fe80::1%25eth0]/',
		'https://[64:ff9b::7f00:1]/',
		'https://192.168.1.1./',
		'https://①②⑦.0.0.1/',
		'https://127。0。0。1/',
		'https://a.example:22/',
		'https://a.example:80/',
		'https://a.example:1023/',
		'https://a.example:5432/',
		'https://a.example:6379/',
		'https://a.example:99999/',
		'https://localhost../',
		'https://a..example/',
		'https://.a.example/',
		'https://127.0.0.1../',
		'https://127%2e0%2e0%2e1/',
		'https://0x7f.1/',
		'https://[::]/',
		'https://[0:0:0:0:0:0:0:1]/',
		'https://[::127.0.0.1]/',
		'https://[2002:7f00:1::]/',
		'https://[fd00:ec2::254]/',
		'https://169.254.169.254.:443/',
		'https://a.localdomain/',
		'https://a.example:00080/',
		'https://a.example:-1/',
		'https://a.example:6443/',
		'https://a.example/\u0000',
		'https://a.example /',
		'https://a.example@127.0.0.1/',
		'https://127.0.0.1\\.a.example/',
		'javascript:alert(1)',
		'file:///etc/passwd',
		'data:text/html,x',
		'wss://a.example/',
		'https:',
		'https://a.example:0/',
		'https://a.example:2375/',
		`https://a.example/${'x'.repeat(2048)}`,
		'https://%00.example/',
		'https://*.example.com/',
		'https://*/',
		'https://a.*/',
		"https://a'b.example/",
		'https://a,b.example/',
		'https://-a.example/',
		'https://a-.example/',
		`https://${'a'.repeat(64)}.example/`,
		'https://a!.example/',
		`https://${'a.'.repeat(126)}example/`,
		'https://a.test/',
		'https://A.TEST./',
		'https://a.invalid/',
		'https://a.onion/',
		'https://a.alt/',
		'https://1.0.10.in-addr.arpa/',
		'https://1.ip6.arpa/',
		'https://resolver.arpa/',
		'https://service.arpa/',
		`https://a.example/${'é'.repeat(400)}`,
	])('cannot have the URL %s', (url) => {
		expect(parseTarget(url, [])).toHaveProperty('reason');
	});

	it.each([
		'https://a.example/',
		'https://A.Example/Path?q=1',
		'https://a.example:443/',
		'https://a.example:8443/x',
		'https://a.example:1024/',
		'https://a.example:65535/',
		'https://a.example./',
		'https://münchen.example/',
		'HTTPS://a.example/',
		'https://@a.example/',
		'https://a.example:00443/',
		'https://xn--mnchen-3ya.example/',
		'https://a_b.example/',
		'https://a.example/%2e%2e/x',
		'https://a.example/?u=http://127.0.0.1/',
		'https://a.example:1024',
		'https://134744072/',
		'https://127.0.0.1.example/',
		'https://localhost.a.example/',
		'https://[2a00:1450:0:0::1]:8443/',
		'https://test.example/',
		'https://onion.com/',
		'https://a--b.example/',
		`https://${'a'.repeat(63)}.example/`,
		'https://8.8.8.8/',
		'https://[2600::1]/',
		'https://localhost.example/',
		'https://internal.example/',
	])('can have the URL %s', (url) => {
		expect(parseTarget(url, [])).toHaveProperty('target');
	});

	it.each([
		['https:a.example', 'https://a.example/'],
		['https:/a.example/x', 'https://a.example/x'],
		['HTTPS://A.Example:443', 'https://a.example/'],
		['https://@a.example/%7e?q=ü', 'https://a.example/%7e?q=%C3%BC'],
		['https://münchen.example/a/../b', 'https://xn--mnchen-3ya.example/b'],
	])('are stored in the normal form of %s', (given, kept) => {
		const parsed = parseTarget(given, []);
		expect('target' in parsed && parsed.target.url.href).toBe(kept);
		expect(parseTarget(kept, [])).toEqual(parsed);
	});

	it('can be a host that is exempt on one machine, but only at its port and over https', () => {
		const exempt = ['localhost:9443'];
		expect(parseTarget('https://localhost:9443/x', exempt)).toHaveProperty('target');
		expect(parseTarget('https://localhost:9444/x', exempt)).toHaveProperty('reason');
		expect(parseTarget('http://localhost:9443/x', exempt)).toHaveProperty('reason');
	});

	it('cause a refusal that names no address', () => {
		const refused = parseTarget('https://169.254.169.254/latest', []);
		expect(JSON.stringify(refused)).not.toContain('169');
	});
});
