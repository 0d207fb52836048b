import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** A name and a value. Names may occur more than once. */
export type Pair = readonly [name: string, value: string];

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const bytes = fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given).toString('latin1'));
const anyText = fc.oneof(
	fc.string({ unit: anyCharacter, maxLength: 40 }),
	fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const strings = [
	'',
	' ',
	'\u0000',
	'a\u0000b',
	'\u202e',
	'\ufeff',
	'\u3164',
	'\u2800',
	'\u200d',
	'\u{e0041}\u{e007f}',
	'\ufffe',
	'\u115f a \uffa0',
	'<!channel> @here',
	'__proto__',
	'constructor',
	'toString',
	'true',
	'null',
	'-1',
	'1e999',
	'x'.repeat(101),
	'x'.repeat(2_049),
	'x'.repeat(12_000),
	'𝒳'.repeat(100),
	'é'.repeat(2_000),
	'{{other_workspace_key}}',
	'{{other_call_id}}',
	"' OR 1=1 --",
	'../../etc/passwd',
	'<script>alert(1)</script>',
	'+12025550199',
	'+1'.repeat(30),
	'+999999999999999',
	'+٣٤٥٦٧٨٩٠١٢',
	'https://localhost/',
	'https://[::ffff:7f00:1]/',
	'https://{{webhook_host}}/\u0000',
	`https://{{webhook_host}}/${'é'.repeat(2_000)}`,
	'https://0x7f.1/',
	'https://{{webhook_host}}:99999/',
	'http://',
	'javascript:alert(1)',
	'{{origin}}',
	`{{origin}}/${'é'.repeat(700)}`,
	'{{origin}}:443/%ff%00',
	'0000-00-00',
	'2026-02-30',
	'+275760-09-13T00:00:00Z',
	'2026-11-09T12:00:00+23:59',
	'call.completed',
];
/** Values as JSON text, because JavaScript cannot hold some of them: duplicate names, huge numbers, lone surrogates. */
const values = [
	'null',
	'true',
	'false',
	'0',
	'-0',
	'-1',
	'1.5',
	'1e308',
	'1e999',
	'-1e999',
	'9007199254740993',
	'1E-400',
	'[]',
	'{}',
	'[[]]',
	'[null]',
	'{"0":"a","length":1}',
	'{"__proto__":{"polluted":true}}',
	'{"__proto__":"v"}',
	'{"X_Forwarded_For":"v"}',
	'{"X-Real-IP":"v"}',
	'{"x-key":"v"}',
	'{"constructor":{"prototype":{"polluted":true}}}',
	'{"toString":null}',
	'{"then":1}',
	'[1,"a",{}]',
	'"\\ud800"',
	'"\\udc00x"',
	'"a\\ud83d"',
	'"\\u0000"',
	'"\\uFFFF"',
	'["\\ud800"]',
	'["call.completed","call.completed"]',
	'["*"]',
	'["call.completed","\\ud800"]',
	'['.repeat(2_000) + ']'.repeat(2_000),
	`${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`,
	`[${'"call.completed",'.repeat(300)}"x"]`,
];
const hostileValue: fc.Arbitrary<string> = fc.oneof(
	fc.constantFrom(...values),
	fc.constantFrom(...strings).map((text) => JSON.stringify(text)),
	anyText.map((text) => JSON.stringify(text)),
	fc.json({ maxDepth: 3 }),
	fc.double().map((n) => JSON.stringify(n)),
);
const hostileName = fc.oneof(
	fc.constantFrom(
		'__proto__',
		'constructor',
		'prototype',
		'toString',
		'hasOwnProperty',
		'then',
		'toJSON',
		'',
		'\u0000',
	),
	anyText,
);

const object = (members: readonly Pair[]): string =>
	`{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

/** Replaces, repeats, adds, removes or renames one field of a JSON object. */
function changedMembers(members: readonly Pair[]): fc.Arbitrary<readonly Pair[]> {
	const position = fc.nat({ max: Math.max(0, members.length - 1) });
	const at = (i: number): Pair => members[i] ?? ['x', '1'];
	return fc.oneof(
		{ weight: 6, arbitrary: fc.tuple(position, hostileValue).map(([i, value]) => members.with(i, [at(i)[0], value])) },
		position.map((i) => members.toSpliced(i, 1)),
		fc.tuple(position, hostileValue).map(([i, value]) => [...members, [at(i)[0], value] as const]),
		fc.tuple(hostileName, hostileValue).map((added) => [...members, added]),
		fc.tuple(position, hostileName).map(([i, name]) => members.with(i, [name, at(i)[1]])),
	);
}

function withMembers(body: object): fc.Arbitrary<string> {
	const members: readonly Pair[] = Object.entries(body)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => [name, JSON.stringify(value)]);
	if (members.length === 0) return fc.tuple(hostileName, hostileValue).map((added) => latin1(object([added])));
	return changedMembers(members)
		.chain((once) => fc.oneof(fc.constant(once), once.length === 0 ? fc.constant(once) : changedMembers(once)))
		.map((changed) => latin1(object(changed)));
}

/**
 * A text that is not the given JSON text: cut off, with bytes inserted or replaced, in another encoding, inside another text,
 * or something else instead.
 */
function changedText(text: string): fc.Arbitrary<string> {
	const whole = latin1(text);
	const position = fc.nat({ max: whole.length });
	const utf16 = (order: 'le' | 'be'): string => {
		const given = Buffer.from(`\ufeff${text}`, 'utf16le');
		return (order === 'le' ? given : given.swap16()).toString('latin1');
	};
	const constants = [
		`\u00ef\u00bb\u00bf${whole}`,
		`\u00ff\u00fe${whole}`,
		utf16('le'),
		utf16('be'),
		`${whole}${whole}`,
		'',
		' ',
		'\0',
		'null',
		'1',
		'"x"',
		'[]',
		`[${whole}]`,
		'undefined',
		'NaN',
		`/**/${whole}`,
		`)]}',${whole}`,
		`${whole}\0`,
		whole.replaceAll('"', "'"),
		JSON.stringify(whole),
		'{"a":1,}',
		'{"a":01}',
		'"\u00ed\u00a0\u0080"',
		'[',
		'['.repeat(16_000),
		`{"pad":"${'x'.repeat(16_380)}"}`,
		`${' '.repeat(16_384 - whole.length)}${whole}`,
	];
	return fc.oneof(
		fc.constantFrom(...constants),
		position.map((end) => whole.slice(0, end)),
		fc.tuple(position, bytes).map(([i, given]) => whole.slice(0, i) + given + whole.slice(i)),
		fc.tuple(position, bytes).map(([i, given]) => whole.slice(0, i) + given + whole.slice(i + given.length)),
		bytes,
	);
}

/** A body that differs from a valid one: in its fields, or in its bytes. */
export function hostileBody(body: object): fc.Arbitrary<string> {
	return fc.oneof(
		{ weight: 3, arbitrary: withMembers(body) },
		{ weight: 1, arbitrary: changedText(JSON.stringify(body)) },
	);
}

const segments = [
	'%00',
	'%2f',
	'%2F..%2F..',
	'..',
	'.',
	'%2e%2e',
	'%ff',
	'%c0%af',
	'%ed%a0%80',
	'%',
	'%zz',
	'%25%30%30',
	'',
	'*',
	'%20',
	'__proto__',
	'constructor',
	'{id}',
	'null',
	'%F0%9F%98%80',
	';a=b',
	'a,b',
	'%0d%0aset-cookie:x=1',
	'01arz3ndektsv4rrff',
	'8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
	'01ARZ3NDEKTSV4RRFFQ69G5FAV%00',
	'x'.repeat(1_025),
	'x'.repeat(6_000),
	'%F0%9F%98%80'.repeat(300),
	'{{other_call_id}}',
	'{{other_endpoint_id}}',
	'{{other_delivery_id}}',
	'{{lead_id}}',
	'{{call_id}}%20',
	'{{call_id}}',
];
const segment = fc.oneof(
	fc.constantFrom(...segments),
	anyText.map((text) => encodeURIComponent(text.toWellFormed())),
);

/** A path whose ids are replaced, that has one more part, more slashes or upper-case letters, or that is empty. */
export function hostilePath(parts: readonly string[]): fc.Arbitrary<string> {
	const position = fc.nat({ max: parts.length - 1 });
	return fc.oneof(
		{
			weight: 8,
			arbitrary: segment.map((given) => parts.map((part) => (part.startsWith('{') ? given : part)).join('/')),
		},
		fc.tuple(position, segment).map(([i, given]) => parts.toSpliced(i, 0, given).join('/')),
		fc.constantFrom(`${parts.join('/')}/`, `/${parts.join('/')}`, parts.join('//'), parts.join('/').toUpperCase(), ''),
	);
}

const queryNames = [
	'limit',
	'cursor',
	'from',
	'to',
	'status',
	'event',
	'event_id',
	'endpoint_id',
	'workspace_key',
	'id',
	'__proto__',
];
const queryValues = [
	'',
	'0',
	'-1',
	'1e1',
	'1.0',
	'101',
	' 5',
	'5 ',
	'١',
	'Infinity',
	'%00',
	'%',
	'%zz',
	'%ff',
	'%ed%a0%80',
	'%F0%9F%98%80',
	'a'.repeat(80),
	`${'a'.repeat(79)}-`,
	'A'.repeat(1_001),
	'x'.repeat(5_000),
	',',
	'failed,failed',
	`failed${',failed'.repeat(40)}`,
	'2026-13-01',
	'2026-02-30',
	'2026-11-09T12:00:00',
	'2026-11-09T12:00:00%2B01:00',
	'9999-12-31',
	'-000001-01-01',
	'+1',
	'0',
	'{{other_workspace_key}}',
	'{{other_event_id}}',
	'{{event_id}}',
	'{{endpoint_id}}',
	'call.failed',
	'[object Object]',
	'{}',
];
const queryPair = fc.tuple(
	fc.oneof(fc.constantFrom(...queryNames), fc.constantFrom('limit[]', 'a%5B%5D', '%00', '', 'constructor')),
	fc.oneof(
		fc.constantFrom(...queryValues),
		anyText.map((text) => encodeURIComponent(text.toWellFormed())),
	),
);

/** A query as it is sent, with its question mark. Of all characters, only plus signs are escaped. */
export function written(pairs: readonly Pair[]): string {
	return pairs.length === 0
		? ''
		: `?${pairs.map(([name, value]) => `${name}=${value.replaceAll('+', '%2B')}`).join('&')}`;
}

/** A query with additional parameters, a query with only other parameters, or a malformed one. */
export function hostileQuery(pairs: readonly Pair[]): fc.Arbitrary<string> {
	return fc.oneof(
		{
			weight: 3,
			arbitrary: fc.array(queryPair, { minLength: 1, maxLength: 4 }).map((more) => written([...pairs, ...more])),
		},
		fc.array(queryPair, { minLength: 1, maxLength: 3 }).map(written),
		fc.constantFrom('?', '??', '?&&&', '?=', '?a', '?limit', '?limit&limit', `?${'a=1&'.repeat(400)}`),
	);
}

const authorizations = [
	'',
	'Bearer',
	'Bearer ',
	'bearer {{api_key}}',
	'BEARER  {{api_key}}',
	'Basic {{api_key}}',
	'{{api_key}}',
	'Bearer {{api_key}} x',
	'Bearer {{api_key}}x',
	'Bearer {{other_api_key}}',
	`Bearer ${'x'.repeat(6_000)}`,
	'Bearer cbk_live_',
	'Bearer {{api_key}},',
	'Bearer cbk_live_01ARZ3NDEKTSV4RRFFQ69G5FAV_',
	`Bearer cbk_live_01ARZ3NDEKTSV4RRFFQ69G5FAV_${'A'.repeat(47)}`,
	'Bearer \u00ff',
];
const origins = [
	'',
	'null',
	'*',
	'{{other_origin}}',
	'{{origin}}/',
	'{{origin}}:443',
	'{{origin}},{{origin}}',
	'{{origin}}.evil.example',
	'https://',
	'HTTPS://SHOP.EXAMPLE',
	'https://evil.example',
	`https://${'a'.repeat(2_050)}.example`,
	'x'.repeat(6_000),
	'\u00ff\u00fe',
	'file://',
	'{{origin}}#',
	'https://shop.example\u00a0',
	'__proto__',
	'https://user@shop.example',
	'https://[::1]',
	'undefined',
];
const contentTypes = [
	'',
	'text/plain',
	'application/json; charset=utf-8',
	'application/json;charset=utf-16',
	'APPLICATION/JSON',
	'application/json,application/json',
	'application/problem+json',
	'multipart/form-data; boundary=x',
	'application/x-www-form-urlencoded',
	'application/octet-stream',
	';',
	'*/*',
	`application/json; ${'x'.repeat(3_000)}`,
	'application/json ; q',
	'\u00ff',
];
const keys = [
	'',
	' ',
	'\t',
	'a',
	'key 1',
	'x'.repeat(255),
	'x'.repeat(256),
	'x'.repeat(7_000),
	'\u00e9',
	'__proto__',
	',',
];
const others: readonly Pair[] = [
	['content-encoding', 'gzip'],
	['accept', 'application/xml'],
	['x-forwarded-for', 'x'.repeat(500)],
	['x-request-id', '<script>'],
	['x-http-method-override', 'DELETE'],
	['access-control-request-method', 'DELETE'],
	['cookie', 'a=b; __proto__=c'],
	['simulator-signature', `t=1,v1=${'0'.repeat(64)}`],
	['__proto__', 'x'],
	['constructor', 'x'],
];
const headerPair: fc.Arbitrary<Pair> = fc.oneof(
	fc.constantFrom(...authorizations).map((value): Pair => ['authorization', value]),
	fc.constantFrom(...origins).map((value): Pair => ['origin', value]),
	fc.constantFrom(...contentTypes).map((value): Pair => ['content-type', value]),
	fc.constantFrom(...keys).map((value): Pair => ['idempotency-key', value]),
	fc.constantFrom(...others),
);

/** Headers that differ from valid ones: one header is replaced, removed or added. */
export function hostileHeader(pairs: readonly Pair[]): fc.Arbitrary<readonly Pair[]> {
	const replaced = (given: Pair) => [...pairs.filter(([name]) => name !== given[0]), given];
	const position = fc.nat({ max: Math.max(0, pairs.length - 1) });
	return fc.oneof(
		{ weight: 3, arbitrary: headerPair.map(replaced) },
		headerPair.map((given) => [...pairs, given]),
		position.map((i) => pairs.toSpliced(i, 1)),
	);
}
