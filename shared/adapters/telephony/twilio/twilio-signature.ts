import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../../domain/webhooks/webhook-signature.ts';

/**
 * The fields of a form in the order in which Twilio signs them: sorted by name, each name directly before its value. Like
 * the official library, it includes a repeated field once for each of its distinct values, sorted. Takes no longer for a
 * name that is repeated many times, because unauthenticated requests reach this code.
 */
export function signedParameters(form: URLSearchParams): string {
	return [...Map.groupBy(form, ([name]) => name).entries()]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.flatMap(([name, fields]) => [...new Set(fields.map(([, value]) => name + value))].sort())
		.join('');
}

/**
 * Whether Twilio signed this request: HMAC-SHA1, keyed with the auth token, over the URL it asked for and the form's
 * `signedParameters` (https://www.twilio.com/docs/usage/webhooks/webhooks-security). Like the official library, it accepts
 * the URL with and without its port, because Twilio's own servers differ.
 */
export function isSignedByTwilio(authToken: string, signature: string, url: string, parameters: string): boolean {
	return spellings(url).some((spelling) => {
		const expectedSignature = createHmac('sha1', authToken)
			.update(spelling + parameters, 'utf8')
			.digest('base64');
		return isSameSecret(expectedSignature, signature);
	});
}

function spellings(url: string): readonly string[] {
	const parts = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url);
	if (parts === null) return [url];
	const [, scheme = '', authority = '', rest = ''] = parts;
	const bare = authority.replace(/:\d*$/, '');
	const usual = scheme === 'https' ? ':443' : ':80';
	const port = authority.slice(bare.length) || usual;
	return [`${scheme}://${bare}${rest}`, `${scheme}://${bare}${port}${rest}`];
}
