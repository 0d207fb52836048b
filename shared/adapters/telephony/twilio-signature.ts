import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FormFields } from './form.ts';

/**
 * Whether Twilio signed this request: HMAC-SHA1, keyed with the auth token, over the URL it asked for and every field of
 * the form, sorted by name (https://www.twilio.com/docs/usage/webhooks/webhooks-security). Like the official library it
 * takes the URL with and without its port, since Twilio's own servers do not agree on it, and a repeated field once for
 * each of its values, sorted.
 */
export function isSignedByTwilio(
	auth_token: string,
	signature: string | undefined,
	url: string,
	fields: FormFields,
): boolean {
	if (signature === undefined) return false;
	const parameters = [...fields.keys()]
		.sort()
		.flatMap((name) => [...new Set(fields.get(name))].sort().map((value) => name + value))
		.join('');
	return spellings(url).some((spelling) => {
		const expected = createHmac('sha1', auth_token)
			.update(spelling + parameters, 'utf8')
			.digest('base64');
		return isSame(expected, signature);
	});
}

/** The URL without and with its port. */
function spellings(url: string): readonly string[] {
	const parts = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url);
	if (parts === null) return [url];
	const [, scheme = '', authority = '', rest = ''] = parts;
	const bare = authority.replace(/:\d*$/, '');
	const usual = scheme === 'https' ? ':443' : ':80';
	const port = authority.slice(bare.length) || usual;
	return [`${scheme}://${bare}${rest}`, `${scheme}://${bare}${port}${rest}`];
}

function isSame(expected: string, given: string): boolean {
	const [a, b] = [Buffer.from(expected), Buffer.from(given)];
	return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
