import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { WidgetRequest } from '../../../shared/contract/widget/widget.ts';
import {
	type ApiKey,
	formatApiKey,
	hashApiKey,
	isGenuineApiKey,
	parseApiKey,
} from '../../../shared/domain/access/api-key.ts';
import { isStorableOrigin, sourceUrl } from '../../../shared/domain/access/origin.ts';
import { type CursorScope, readCursor, writeCursor } from '../../../shared/domain/kernel/cursor.ts';
import { idTimePrefix } from '../../../shared/domain/kernel/id.ts';
import {
	bodyHash,
	bodyHashes,
	IDEMPOTENCY_SECONDS,
	idempotencyScope,
	isIdempotencyKey,
	isSameBody,
} from '../../../shared/domain/kernel/idempotency.ts';
import { instantFault, parseInstant, parseTimeRange } from '../../../shared/domain/kernel/time-range.ts';
import { anyCharacter } from '../../support/any-character.ts';

const ID = '01KAJ5X8Q0ABCDEFGHJKMNPQRS';
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const ids = fc
	.tuple(fc.nat(2 ** 47), fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/))
	.map(([time, tail]) => idTimePrefix(time) + tail);

/** Texts that differ from `text`: one of its characters is replaced with zero to two other characters. */
function neighbours(text: string): fc.Arbitrary<string> {
	const place = fc.nat(text.length - 1);
	const other = fc.string({ minLength: 0, maxLength: 2, unit: 'binary-ascii' });
	return fc
		.tuple(place, other)
		.map(([i, by]) => text.slice(0, i) + by + text.slice(i + 1))
		.filter((t) => t !== text);
}

describe('an origin that a workspace may allow', () => {
	it.each([
		'https://example.com',
		'https://www.example.com:8443',
		'http://localhost',
		'http://localhost:3001',
		'https://xn--bcher-kva.example',
	])('is %s', (origin) => {
		expect(isStorableOrigin(origin)).toBe(true);
	});

	it.each([
		['*', 'a wildcard'],
		['https://*.example.com', 'a wildcard'],
		['https://*', 'a wildcard'],
		['null', 'what sandboxed pages send'],
		['', 'nothing'],
		['example.com', 'no scheme'],
		['//example.com', 'no scheme'],
		['http://example.com', 'not https'],
		['http://127.0.0.1', 'not localhost by name'],
		['http://localhost.example.com', 'not localhost'],
		['http://sub.localhost', 'not localhost'],
		['https://example.com/', 'a path'],
		['https://example.com/shop', 'a path'],
		['https://example.com?x', 'a query'],
		['https://example.com#x', 'a fragment'],
		['https://example.com:443', 'a default port'],
		['https://Example.com', 'upper case'],
		['https://bücher.example', 'not as browsers send it'],
		['https://user@example.com', 'credentials'],
		[' https://example.com', 'a space'],
		['https://example.com https://example.org', 'two'],
		['ftp://example.com', 'another scheme'],
		['wss://example.com', 'another scheme'],
		['ws://localhost', 'another scheme'],
		['file://', 'another scheme'],
		['chrome-extension://abcdef', 'another scheme'],
		['blob:https://example.com', 'another scheme'],
		['javascript:alert(1)', 'another scheme'],
	])('is not %s (%s)', (origin) => {
		expect(isStorableOrigin(origin)).toBe(false);
	});
});

describe('an origin that is long', () => {
	const ofLength = (length: number) => `https://${'a'.repeat(length - 'https://'.length)}`;

	it('may have at most 300 characters', () => {
		expect(ofLength(300)).toHaveLength(300);
		expect([ofLength(300), ofLength(301)].map(isStorableOrigin)).toEqual([true, false]);
	});
});

describe('the visitor’s page', () => {
	const origin = 'https://shop.example';
	it.each([
		['https://shop.example', 'https://shop.example/'],
		['https://shop.example/a/b', 'https://shop.example/a/b'],
		[
			'https://shop.example/a?utm_source=x&token=secret&utm_medium=y#pay',
			'https://shop.example/a?utm_source=x&utm_medium=y',
		],
		['https://shop.example/a?email=a@b.example', 'https://shop.example/a'],
		['https://shop.example/a?UTM_source=x&xutm_a=1', 'https://shop.example/a'],
		['https://user:pass@shop.example/a', 'https://shop.example/a'],
		['http://shop.example/a', 'http://shop.example/a'],
		['HTTPS://SHOP.example:443/a', 'https://shop.example/a'],
	])('is stored without private parts: %s', (page, kept) => {
		expect(sourceUrl(page, origin)).toEqual({ source_url: kept });
	});

	it.each([
		'https://other.example/',
		'https://shop.example.evil.example/',
		'https://shop.example:8443/',
		'https://shop.example@evil.example/',
	])("must be on the Origin's host: %s", (page) => {
		expect(sourceUrl(page, origin)).toEqual({ refused: 'page_url_mismatch' });
	});

	it('is refused if its Origin is null, as in a sandboxed frame', () => {
		expect(sourceUrl('https://shop.example/a', 'null')).toEqual({ refused: 'page_url_mismatch' });
	});

	it.each([
		'about:srcdoc',
		'about:blank',
		'about:srcdoc#pay',
		'blob:https://shop.example/0f4c2c2e-6d57-4d8e-9b43-3a1b9c2a7b11',
		'data:text/html,x',
		'DATA:text/html;base64,eA==',
	])('is stored as its origin if it has no address of its own: %s', (page) => {
		expect(sourceUrl(page, origin)).toEqual({ source_url: 'https://shop.example/' });
	});

	it('is refused if it is a blob: URL of another site, or a page without an origin', () => {
		expect(sourceUrl('blob:https://evil.example/0f4c', origin)).toEqual({ refused: 'page_url_mismatch' });
		expect(sourceUrl('blob:null/0f4c', origin)).toEqual({ refused: 'page_url_invalid' });
		expect(sourceUrl('about:srcdoc', 'null')).toEqual({ refused: 'page_url_invalid' });
	});

	it.each([
		'',
		'shop.example/a',
		'/a',
		'javascript:alert(1)',
		'ftp://shop.example/a',
		`https://shop.example/${'a'.repeat(2048)}`,
		'https://',
	])('must be an http(s) URL of at most 2,048 characters: %.40s', (page) => {
		expect(sourceUrl(page, origin)).toEqual({ refused: 'page_url_invalid' });
	});

	it('may be a URL of exactly 2,048 characters', () => {
		const page = `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`;
		expect(sourceUrl(page, origin)).toEqual({ source_url: page });
	});

	it('never stores a query parameter other than utm_*, for any page', () => {
		const query = fc.array(fc.tuple(fc.string(), fc.string()));
		const fragments = fc.string({ unit: anyCharacter }).map(encodeURIComponent);
		fc.assert(
			fc.property(query, fragments, (pairs, fragment) => {
				const kept = sourceUrl(
					`${origin}/p?${new URLSearchParams([...pairs, ['canary', 'CANARY']])}#${fragment}`,
					origin,
				);
				if ('refused' in kept) return;
				const url = new URL(kept.source_url);
				expect(url.hash).toBe('');
				expect([...url.searchParams.keys()].every((name) => name.startsWith('utm_'))).toBe(true);
			}),
		);
	});
});

describe('the name a visitor gives', () => {
	const storedName = (name: string) => {
		const body = { workspace_key: 'k', phone: '+1', consent: true, page_url: 'https://shop.example/', name };
		return WidgetRequest.safeParse(body).data?.name;
	};

	it.each([
		[' Ada ', 'Ada'],
		['Ada\r\nLovelace\tB', 'Ada Lovelace B'],
		['A\u0000d\u001ba\u009f', 'Ada'],
		['\u202eecilA\u202c', 'ecilA'],
		['\u2067a\u2069\u200f\u061c', 'a'],
		['Zo\u00eb \u540d\u524d', 'Zo\u00eb \u540d\u524d'],
		['\u{1f469}\u200d\u{1f680}', '\u{1f469}\u200d\u{1f680}'],
		['\u2764\ufe0f A\u{e0041}\u{e007f}d\u3164a\u2800\ufffe', '\u2764\ufe0f Ada'],
		['\u200dAda \u200c\ufe0fB', 'Ada B'],
		['\u0646\u06cc\u200c\u0622', '\u0646\u06cc\u200c\u0622'],
	])('%j is stored as %j: visible, on one line, in the order in which it is read', (name, expected) => {
		expect(storedName(name)).toBe(expected);
	});

	it('is stored as no name if nothing of it is visible, and is refused if it is too long even without the dropped characters', () => {
		const unseen = [
			'\u202e\u200b',
			' ',
			'\u0000',
			'\u3164',
			'\u2800',
			'\u200d',
			'\u{e0041}',
			'\ufffe',
			'\u115f\uffa0',
			'\ufe0f',
			'',
			'\u00a0\u3000',
			'\u0301\u0308',
			' \u0e31 ',
			'\u{1d159}',
			'\u00ad\u2060\ufeff',
			'\u{e0061}\u{e007f}\u2061',
		];
		expect(unseen.filter((name) => storedName(name) !== null)).toEqual([]);
		expect(storedName(`${'a'.repeat(100)}${'\u202e'.repeat(100)}`)).toBe('a'.repeat(100));
		expect(storedName('a'.repeat(101))).toBeUndefined();
	});
});

describe('an API key', () => {
	const stored = (key: string): ApiKey => ({
		id: ID,
		version: 1,
		workspace_id: ID,
		name: 'test',
		secret_hash: hashApiKey(key),
		permissions: [],
		created_at: '2026-11-21T12:00:00.000Z',
		revoked_at: null,
	});

	it('names its id, and is genuine for the record that holds its hash and for no other', () => {
		fc.assert(
			fc.property(ids, bytes32, bytes32, (id, secret, other) => {
				const key = formatApiKey(id, secret);
				expect(key).toMatch(/^cbk_live_[0-9A-Z]{26}_[\w-]{47}$/);
				expect(parseApiKey(key)).toEqual({ id });
				expect(isGenuineApiKey(hashApiKey(key), stored(key))).toBe(true);
				const same = Buffer.from(secret).equals(other);
				expect(isGenuineApiKey(hashApiKey(key), stored(formatApiKey(id, other)))).toBe(same);
			}),
		);
	});

	it('is refused before anything is read when a character was changed, lost or added', () => {
		const key = formatApiKey(ID, Buffer.alloc(32, 7));
		fc.assert(
			fc.property(neighbours(key), (changed) => expect(parseApiKey(changed)).toBeNull()),
			// One random key in 16 million has a valid checksum. The fixed seed makes sure that none occurs in this test.
			{ numRuns: 2000, seed: 1 },
		);
	});

	it.each([
		'',
		'cbk_live_',
		'cbk_live__',
		`cbk_live_${ID}`,
		`cbk_live_${ID}_`,
		`cbk_test_${ID}_${'A'.repeat(47)}`,
		`cbk_live_${ID}_${'A'.repeat(47)}`,
		'sk_live_123',
		`cbk_live_${'é'.repeat(26)}_${'A'.repeat(47)}`,
	])('cannot be %s', (text) => {
		expect(parseApiKey(text)).toBeNull();
	});

	it('has one spelling: the spare bits of its last character count', () => {
		const key = formatApiKey(ID, Buffer.alloc(32, 7));
		const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		const accepted = [...last].filter((char) => parseApiKey(key.slice(0, -1) + char) !== null);
		expect(accepted).toEqual([key.slice(-1)]);
	});

	it('requires 256 random bits', () => {
		expect(() => formatApiKey(ID, new Uint8Array(31))).toThrow(new RangeError('an API key takes 32 random bytes'));
	});

	it('from an earlier release is still valid', () => {
		const held = `cbk_live_${ID}_CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQl7Pc8`;
		expect(formatApiKey(ID, new Uint8Array(32).fill(9))).toBe(held);
		expect(parseApiKey(held)).toEqual({ id: ID });
		expect(hashApiKey('held')).toBe('c20dea4d876b5b8fb0a1814b43017030cea6d4ac30b2d9ae71b404d2faba49b5');
	});

	it.each(['é', 'i', 'o', '\u212a'])('cannot have %s in its id, whatever its checksum says', (char) => {
		expect(parseApiKey(formatApiKey(ID.slice(0, -1) + char, new Uint8Array(32)))).toBeNull();
	});

	it('is never genuine for a damaged record', () => {
		const key = formatApiKey(ID, Buffer.alloc(32, 7));
		expect(isGenuineApiKey(hashApiKey(key), { ...stored(key), secret_hash: '' })).toBe(false);
		expect(isGenuineApiKey(hashApiKey(key), { ...stored(key), secret_hash: hashApiKey(key).slice(2) })).toBe(false);
	});
});

describe('a cursor', () => {
	const scope: CursorScope = {
		workspace_id: ID,
		operation: 'list-calls',
		filters: { status: 'completed', from: '2026-01-01' },
	};

	it('gives the start of the next page to a request for the same list, in whatever order the filters are', () => {
		const lists = fc.record({
			workspace_id: ids,
			operation: fc.string(),
			filters: fc.dictionary(fc.string(), fc.string()),
		});
		fc.assert(
			fc.property(ids, lists, (id, list) => {
				const reordered = { ...list, filters: Object.fromEntries(Object.entries(list.filters).reverse()) };
				expect(readCursor(writeCursor(id, list), reordered)).toBe(id);
			}),
		);
	});

	it('has one spelling', () => {
		const cursor = writeCursor(`${ID}1`, scope);
		for (const other of [`${cursor}=`, ` ${cursor}`, `${cursor}\n`]) expect(readCursor(other, scope)).toBeNull();
	});

	it.each(['', 'null', 'A'.repeat(80), 'A'.repeat(79), `${ID}`, '%00', '='.repeat(80)])('cannot be %s', (text) => {
		expect(readCursor(text, scope)).toBeNull();
	});
});

describe('an Idempotency-Key', () => {
	const parts = { workspace_id: ID, operation: 'cancel-call', resource_id: null, key: 'k' };

	it('is stored under the same scope by every release, for a day', () => {
		expect(idempotencyScope(parts)).toBe('iHkjeumi_K61mU8qlZ3vTmEppxpIMcyH74LsuSGLl5w');
		expect(bodyHash('k', '{}')).toBe('rdhTsQP7zJNqGU-esV4pxP8Ir25H1dG8pPICGOMeT_8');
		expect(IDEMPOTENCY_SECONDS).toBe(86_400);
	});

	it('has 1 to 255 printable ASCII characters', () => {
		for (const key of ['k', ' ~', 'k'.repeat(255)]) expect(isIdempotencyKey(key)).toBe(true);
		for (const key of ['', 'k'.repeat(256), 'é', 'k\n', '\tk', 'k\u007f']) expect(isIdempotencyKey(key)).toBe(false);
	});

	it('stands for another request in another workspace, operation or resource', () => {
		const others = [{ workspace_id: 'w' }, { operation: 'o' }, { resource_id: 'r' }, { key: 'other' }];
		const scopes = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(idempotencyScope);
		expect(new Set(scopes).size).toBe(scopes.length);
	});

	const hashes = (raw: string) => bodyHashes('k', { raw, value: raw === '' ? {} : JSON.parse(raw) });
	const fromRelease = (raw: string) => ({ body_hash: bodyHash('k', raw) });

	it('stands for the same request if the JSON value is the same in other bytes', () => {
		const one = '{"name":"Zoë","phone":"+1","events":["a","b"],"more":{"x":1,"y":[{"b":null,"a":10}]}}';
		const same = [
			one,
			'{"phone":"+1","name":"Zoë","more":{"y":[{"a":10,"b":null}],"x":1},"events":["a","b"]}',
			'{"name":"Zo\\u00eb","phone":"+1","events":["a","b"],"more":{"x":1,"y":[{"b":null,"a":10}]}}',
			`${one}\r\n`,
			JSON.stringify(JSON.parse(one), null, '\t'),
			one.replace('"x":1', '"x":1.0').replace('"a":10', '"a":1e1'),
			one.replace('"name"', '"phone":"+2","name"'),
		];
		for (const raw of same) expect([raw, isSameBody(hashes(one), hashes(raw))]).toEqual([raw, true]);
		expect(isSameBody(hashes('{}'), hashes('{ }\n'))).toBe(true);
		expect(isSameBody(hashes(''), hashes('{}'))).toBe(false);
		const others = [
			one.replace('["a","b"]', '["b","a"]'),
			one.replace('Zoë', 'Zoe\u0308'),
			one.replace('"+1"', '1'),
			one.replace('null', '0'),
			one.replace('"x":1', '"x":"1"'),
			one.replace('"b":null,', ''),
			one.replace('"more"', '"__proto__"'),
			`[${one}]`,
		];
		for (const raw of others) expect([raw, isSameBody(hashes(one), hashes(raw))]).toEqual([raw, false]);
	});

	it('stands for the same request exactly if the JSON values are equal', () => {
		const shuffled = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(shuffled);
			if (typeof value !== 'object' || value === null) return value;
			return Object.fromEntries(
				Object.entries(value)
					.reverse()
					.map(([name, inner]) => [name, shuffled(inner)]),
			);
		};
		const body = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
		fc.assert(
			fc.property(body, fc.jsonValue(), (value, other) => {
				const [one, two, three] = [value, shuffled(value), other].map((each) => JSON.stringify(each));
				expect(isSameBody(hashes(one ?? ''), hashes(two ?? ''))).toBe(true);
				const isEqual = isDeepStrictEqual(JSON.parse(one ?? ''), JSON.parse(three ?? ''));
				expect(isSameBody(hashes(one ?? ''), hashes(three ?? ''))).toBe(isEqual);
			}),
		);
	});

	it('is stored with the hash of the bytes that the previous release compares, and is compared by bytes with a key of that release', () => {
		const raw = '{"b":1, "a":2}';
		expect(hashes(raw).body_hash).toBe(fromRelease(raw).body_hash);
		expect(isSameBody(fromRelease(raw), hashes(raw))).toBe(true);
		expect(isSameBody(fromRelease(raw), hashes('{"a":2,"b":1}'))).toBe(false);
	});

	it('of a request whose body is nested too deeply to compare stands for the same request only with the same bytes', () => {
		const deep = (inner: string) => `${'['.repeat(8000)}${inner}${']'.repeat(8000)}`;
		expect(isSameBody(hashes(deep('1')), hashes(deep('1')))).toBe(true);
		expect(isSameBody(hashes(deep('1')), hashes(deep('2')))).toBe(false);
	});

	it('hides the body: the same bytes have another hash under another key', () => {
		expect(bodyHash('another', '{}')).not.toBe(bodyHash('k', '{}'));
		expect(bodyHash('k', '{ }')).not.toBe(bodyHash('k', '{}'));
	});
});

describe('a point in time in a query', () => {
	it.each([
		['2026-11-21', '2026-11-21T00:00:00.000Z'],
		['2024-02-29', '2024-02-29T00:00:00.000Z'],
		['2026-11-21T12:30:00Z', '2026-11-21T12:30:00.000Z'],
		['2026-11-21t12:30:00z', '2026-11-21T12:30:00.000Z'],
		['2026-11-21T12:30:00.5Z', '2026-11-21T12:30:00.500Z'],
		['2026-11-21T12:30:00.123456Z', '2026-11-21T12:30:00.124Z'],
		['2026-11-21T12:30:00+05:30', '2026-11-21T07:00:00.000Z'],
		['2026-11-21T00:30:00+01:00', '2026-11-20T23:30:00.000Z'],
		['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
		['2026-11-21T12:30:00-00:00', '2026-11-21T12:30:00.000Z'],
		['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
		['2026-11-21T12:30:00 05:30', '2026-11-21T07:00:00.000Z'],
		['2026-11-21T12:30:00 0000', '2026-11-21T12:30:00.000Z'],
		['2026-11-21 12:30:00Z', '2026-11-21T12:30:00.000Z'],
		['2026-11-21 12:30:00.25 01:00', '2026-11-21T11:30:00.250Z'],
		['2026-11-21T12:30:00+0530', '2026-11-21T07:00:00.000Z'],
		['2026-11-21T12:30:00-0530', '2026-11-21T18:00:00.000Z'],
		['2026-11-21 12:30:00+01', '2026-11-21T11:30:00.000Z'],
		['2026-11-21 12:30:00 01', '2026-11-21T11:30:00.000Z'],
		['2026-11-21 12:30:00 +0100', '2026-11-21T11:30:00.000Z'],
		['2026-11-21 12:30:00  0100', '2026-11-21T11:30:00.000Z'],
		['2026-11-21 12:30:00 UTC', '2026-11-21T12:30:00.000Z'],
		['2026-11-21 12:30:00 GMT', '2026-11-21T12:30:00.000Z'],
		['2026-11-21 12:30:00,250Z', '2026-11-21T12:30:00.250Z'],
		['2026-11-21T12:30Z', '2026-11-21T12:30:00.000Z'],
		['2026-11-21T12:30+01:00', '2026-11-21T11:30:00.000Z'],
	])('%s is %s', (text, instant) => {
		expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(instant);
	});

	it.each([
		'',
		'yesterday',
		'2026',
		'2026-11',
		'2026-13-01',
		'2026-02-29',
		'2026-02-30',
		'2026-04-31',
		'2026-00-10',
		'2026-01-00',
		'2026-11-21T12:30:00',
		'2026-11-21 12:30:00',
		'2026-11-21T24:00:00Z',
		'2026-11-21T12:60:00Z',
		'2026-11-21T12:30:61Z',
		'2026-11-21T12:30',
		'2026-11-21T12:30:00+24:00',
		'2026-11-21T12:30:00+2400',
		'2026-11-21T12:30:00 60',
		'2026-11-21T12:30:00 +',
		'2026-11-21T12:30:00   0000',
		'2026-11-21T12:30:00 CET',
		'2026-11-21T12:30:00+1:00',
		'2026-11-21T12:30:00+010',
		'2026-11-21  12:30:00Z',
		'2026-11-21T12Z',
		'2026-11-21T12:30:00+01:60',
		'20261121',
		'1763726400',
		'2026-11-21T12:30:00.Z',
		'2026-11-21T12:30:00,Z',
		'2026-02-30T00:00:00Z',
		'+002026-11-21',
		' 2026-11-21',
		'2026-11-21\n',
	])('%j is refused', (text) => {
		expect(parseInstant(text)).toBeNull();
	});

	it.each([
		['2026-11-21T12:30:00', 'without_offset'],
		['2026-11-21 12:30', 'without_offset'],
		['2026-11-21T12:30:00.123456', 'without_offset'],
		['2026-11-21 12:30:00,123', 'without_offset'],
		['2026-11-21T25:30:00Z', 'unreadable'],
		['1763726400', 'unreadable'],
	])('%j is refused as %s', (text, why) => {
		expect(instantFault(text)).toBe(why);
		const refused = { refused: 'invalid_parameter', parameter: 'to', why };
		expect(parseTimeRange({ from: '2026-11-21', to: text })).toEqual(refused);
	});

	it('is the instant that was written, with any offset', () => {
		const dates = fc.date({ min: new Date(0), max: new Date('9999-12-30'), noInvalidDate: true });
		fc.assert(
			fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
				const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
				const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
				const sign = offset < 0 ? '-' : '+';
				const text = `${local}${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
				if (!/^\d{4}-/.test(text)) return;
				expect(parseInstant(text)).toBe(date.getTime());
				expect(parseInstant(text.replace('T', ' ').replace('+', ' '))).toBe(date.getTime());
				expect(parseInstant(text.replace(/:(..)$/, '$1'))).toBe(date.getTime());
			}),
		);
	});
});

describe('a time range of a list', () => {
	it('includes items created at or after `from` and before `to`', () => {
		const instants = fc.integer({ min: 10, max: Date.parse('2100-01-01') });
		fc.assert(
			fc.property(
				instants,
				fc.integer({ min: 1, max: 10_000 }),
				fc.integer({ min: -2, max: 10_002 }),
				fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/),
				(from, length, at, tail) => {
					const range = parseTimeRange({
						from: new Date(from).toISOString(),
						to: new Date(from + length).toISOString(),
					});
					if ('refused' in range) throw new Error(range.refused);
					const id = idTimePrefix(from + at) + tail;
					const inside = (range.from_id ?? '') <= id && id < (range.before_id ?? '~');
					expect(inside).toBe(at >= 0 && at < length);
				},
			),
		);
	});

	it('is refused if `from` is not before `to`', () => {
		const refused = { refused: 'invalid_parameter', parameter: 'from', why: 'not_before_to' };
		expect(parseTimeRange({ from: '2026-01-02', to: '2026-01-01' })).toEqual(refused);
		expect(parseTimeRange({ from: '2026-01-01', to: '2026-01-01' })).toEqual(refused);
		expect(parseTimeRange({ from: 'soon', to: '2026-01-01' })).toMatchObject({ parameter: 'from' });
		expect(parseTimeRange({ from: '2026-01-01', to: 'late' })).toMatchObject({ parameter: 'to' });
	});

	it('may be open at either end', () => {
		expect(parseTimeRange({})).toEqual({ from_id: null, before_id: null });
		expect(parseTimeRange({ from: '2026-01-01' })).toMatchObject({ from_id: expect.any(String), before_id: null });
		expect(parseTimeRange({ to: '2026-01-01' })).toMatchObject({ from_id: null, before_id: expect.any(String) });
	});
});
