import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

// Searches texts for values that must not appear in them, in every form that these values could take.

/** Printed, stored or sent text, by the name of the place where it was found. */
export type Gathered = Readonly<Record<string, string>>;
/** A value that must appear in no place, except in those that `allowed` names. */
export type Canary = { readonly what: string; readonly forms: readonly string[]; readonly allowed?: readonly RegExp[] };

/**
 * The base64 forms that a text can have inside a longer text. The first and last characters are cut off if they depend on the
 * neighbouring bytes.
 */
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

/** The forms of a secret: the text itself, base64 and hexadecimal. */
export function secret(what: string, text: string, allowed: readonly RegExp[] = []): Canary {
	return { what, forms: [text, ...base64Forms(text), Buffer.from(text).toString('hex')], allowed };
}

/**
 * The forms of a phone number: its national digits and its plain hashes. An attacker who hashes all possible numbers reverses
 * such a hash in minutes.
 */
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

/** Spaces and punctuation that people and encodings write into phone numbers. */
const PUNCTUATION = /[\s().\-+/_]|%2[0-9BDF]|\\u00a0/gi;

/** The forbidden values that were found, each as `place: name`. */
export function leaks(gathered: Gathered, canaries: readonly Canary[]): readonly string[] {
	return Object.entries(gathered).flatMap(([place, text]) => {
		const squeezed = text.replace(PUNCTUATION, '');
		return canaries
			.filter(({ allowed = [] }) => !allowed.some((pattern) => pattern.test(place)))
			.filter(({ forms }) => forms.some((form) => text.includes(form) || squeezed.includes(form)))
			.map(({ what }) => `${place}: ${what}`);
	});
}

/** Bundles and their source maps are built from our own sources before any call, so they cannot contain a caller's data. */
const CODE = /\.(js|map|css)$/;

/** The content of every file below a directory. */
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
