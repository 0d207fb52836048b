import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

// Searches for forbidden values, in every form in which they could appear.

/** Printed, stored or sent text, by the name of its place. */
export type Gathered = Readonly<Record<string, string>>;
/** A value that must not be found, except in the named places. */
export type Canary = { readonly what: string; readonly forms: readonly string[]; readonly allowed?: readonly RegExp[] };

/** The base64 of a text wherever it stands in a longer one: less the characters that its neighbours have a part in. */
function base64Forms(text: string): string[] {
	return [0, 1, 2].map((before) => {
		const encoded = Buffer.from(`${'\0'.repeat(before)}${text}`)
			.toString('base64')
			.replace(/=+$/, '');
		const skipped = [0, 2, 3][before] ?? 0;
		const whole = Math.floor(((before + text.length) * 8) / 6);
		return encoded.slice(skipped, whole);
	});
}

/** A text as it is, in base64 and in hexadecimal. */
export function secret(what: string, text: string, allowed: readonly RegExp[] = []): Canary {
	return { what, forms: [text, ...base64Forms(text), Buffer.from(text).toString('hex')], allowed };
}

/** A number by its national digits, and by plain hashes: who tries all numbers turns those back in minutes. */
export function phone(e164: string, callingCodeDigits = 1): Canary {
	const national = e164.slice(1 + callingCodeDigits);
	const hashes = [e164, e164.slice(1), national].flatMap((text) =>
		(['hex', 'base64', 'base64url'] as const).flatMap((encoding) => {
			const digests = ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(text).digest(encoding));
			return digests.map((digest) => digest.replace(/=+$/, ''));
		}),
	);
	return { ...secret(e164, national), forms: [...secret(e164, national).forms, ...hashes] };
}

/** Spaces and punctuation that people and encodings put into numbers. */
const PUNCTUATION = /[\s().\-+/_]|%2[0-9BDF]|\\u00a0/gi;

/** The found canaries: `place: name`. */
export function leaks(gathered: Gathered, canaries: readonly Canary[]): readonly string[] {
	return Object.entries(gathered).flatMap(([place, text]) => {
		const squeezed = text.replace(PUNCTUATION, '');
		return canaries
			.filter(({ allowed = [] }) => !allowed.some((pattern) => pattern.test(place)))
			.filter(({ forms }) => forms.some((form) => text.includes(form) || squeezed.includes(form)))
			.map(({ what }) => `${place}: ${what}`);
	});
}

/** Bundles and their maps: made of our own sources before anybody called. */
const CODE = /\.(js|map|css)$/;

/** Every file below a directory, as bytes. */
export function filesBelow(directory: string, name: string): Gathered {
	const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
		(entry) => entry.isFile() && !CODE.test(entry.name),
	);
	return Object.fromEntries(
		files.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [`${name}/${relative(directory, path)}`, readFileSync(path, 'latin1')];
		}),
	);
}
