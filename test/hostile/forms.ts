import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** A form as it is sent, with its fields in order. `{{name}}` stands for a value of the world. */
export function formOf(fields: object): string {
	return named(new URLSearchParams(Object.entries(fields)).toString());
}

const named = (form: string): string => form.replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}');

const hostileText = fc.oneof(
	fc.constantFrom('', ' ', '1', '11', 'completed', 'machine_start', '__proto__', 'constructor', '-1', '1e999'),
	fc.constantFrom('\u0000', 'Sat, 99 Nov 2026 10:00:20 +0000', '+275760-09-13T00:00:00Z', 'x'.repeat(12_000), '<Dial>'),
	fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const hostileName = fc.oneof(
	fc.constantFrom('CallSid', 'CallStatus', 'AnsweredBy', 'Digits', 'Timestamp', '__proto__', 'toString', ''),
	fc.string({ unit: anyCharacter, maxLength: 20 }),
);
/**
 * One field, repeated until the body has this many bytes. A parser that compares each field with all earlier fields becomes
 * slow.
 */
const repeated = fc
	.tuple(
		fc.constantFrom('a', 'a=', 'CallSid=x', '%41', '&', '=', '%', '%ff', '+', 'é', ';'),
		fc.constantFrom(2, 300, 4_000, 16_000, 16_384, 20_000, 64_000),
	)
	.map(([field, bytes]) => `${field}&`.repeat(Math.floor(bytes / (field.length + 1))));
const numbered = fc
	.constantFrom(300, 1_500)
	.map((count) => Array.from({ length: count }, (_, n) => `a${count - n}=${n}`).join('&'));

/** A form that differs from a valid one: in its fields, in how often they occur, or in its bytes. */
export function hostileForm(fields: object): fc.Arbitrary<string> {
	const good = Object.entries(fields);
	const position = fc.nat({ max: Math.max(0, good.length - 1) });
	const written = (pairs: readonly (readonly [string, string])[]): string =>
		pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
	return fc.oneof(
		fc.tuple(position, hostileText).map(([i, value]) => written(good.toSpliced(i, 1, [good[i]?.[0] ?? 'x', value]))),
		position.map((i) => written(good.toSpliced(i, 1))),
		fc.tuple(hostileName, hostileText).map((added) => written([...good, added])),
		fc
			.tuple(repeated, fc.boolean())
			.map(([many, last]) => (last ? `${formOf(fields)}&${many}` : many + formOf(fields))),
		fc.tuple(numbered).map(([many]) => `${formOf(fields)}&${many}`),
		fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
		fc.constantFrom('', '&', '=', '[]', '{}', 'x'.repeat(16_384), 'x'.repeat(64_000)),
	);
}

const escaped = (text: string): string => named(encodeURIComponent(text.toWellFormed()));
