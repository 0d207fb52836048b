import { describe, expect, it } from '@jest/globals';
import { isPublic, parseTarget, sameAddress } from '../../../shared/domain/webhooks/ssrf-guard.ts';

const judged = (url: string): unknown => {
	const parsed = parseTarget(url, []);
	return 'target' in parsed ? 'allowed' : parsed.reason;
};
describe('the URL of a receiver', () => {
	it.each([
		['https://hook.example/\t', 'malformed'],
		['https://-hook.example/', 'malformed'],
		['http://hook.example/', 'not_https'],
		['https://ada:pw@hook.example/', 'credentials'],
		['https://hook.example/#', 'fragment'],
		['https://hook/', 'not_public'],
		['https://hook.local/', 'not_public'],
		['https://10.0.0.1/', 'not_public'],
		['https://hook.example:22/', 'port'],
	])('is refused for a fault that texts can name: %s: %s', (url, fault) => {
		expect(parseTarget(url, [])).toHaveProperty('fault', fault);
	});

	const urls = {
		'The URL is malformed.': ['https://hook.example/\t'],
		'The URL is too long.': [`https://hook.example/${'é'.repeat(400)}`],
		'The URL must be https.': ['http://hook.example/'],
		'The URL must not hold credentials.': ['https://ada:pw@hook.example/', 'https://ada@hook.example/'],
		'The URL must not have a fragment.': ['https://hook.example/#'],
		'The host name is malformed.': ['https://-hook.example/'],
		'The host needs a public name with at least one dot.': ['https://hook/'],
		'The host name is local or reserved, never public.': [
			'https://hook.localhost/',
			'https://home.arpa/',
			'https://hook.test/',
		],
		'Port 22 is not allowed.': ['https://hook.example:22/'],
		'The host leads to an address that is not on the public internet.': ['https://10.0.0.1/', 'https://[fe80::1]/'],
		allowed: ['https://[2606:4700::1]/', 'https://8.8.8.8.hook.org/'],
	};
	it.each(Object.entries(urls).flatMap(([says, of]) => of.map((url) => [url, says])))(
		'is accepted or refused: %s: %s',
		(url, says) => {
			expect(judged(url)).toBe(says);
		},
	);

	it('has at most 2,048 characters', () => {
		const url = (length: number) => `https://hook.org/${'a'.repeat(length - 17)}`;
		expect([url(2048).length, judged(url(2048)), judged(url(2049))]).toEqual([
			2048,
			'allowed',
			'The URL is malformed.',
		]);
	});

	it('has a host name of at most 253 characters', () => {
		const host = (length: number) => `${'b'.repeat((length - 3) % 2)}${'a.'.repeat((length - 3) / 2)}org`;
		expect([host(253).length, judged(`https://${host(253)}/`)]).toEqual([253, 'allowed']);
		expect(judged(`https://${host(254)}/`)).toBe('The host name is malformed.');
	});
});

it('an address with a zone, and a text that is no address, are not public', () => {
	for (const address of ['2606:4700::1%eth0', 'fe80::1%eth0', 'hook.org', '']) {
		expect(isPublic(address)).toBe(false);
	}
});

it('two spellings of an address are treated as one address', () => {
	expect(sameAddress('2001:DB8::1', '2001:db8:0:0:0:0:0:1')).toBe(true);
	expect(sameAddress('2001:db8::1', '2001:db8::11')).toBe(false);
	expect(sameAddress('2606:12::1', '2606:1:2::1')).toBe(false);
	expect(sameAddress('2606:1:12::1', '2606:11:2::1')).toBe(false);
	expect([sameAddress('8.8.8.8', '8.8.8.8'), sameAddress('8.8.8.8', '8.8.4.4')]).toEqual([true, false]);
});
