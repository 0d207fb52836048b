import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../../domain/webhooks/webhook-signature.ts';

/**
 * The fields of a form in the order in which Twilio signs them: sorted by name, each name directly before its value. As in
 * the official library, a repeated field is included once for each of its distinct values, sorted. A name that is repeated
 * many times must not slow this down, because requests reach this code before they are authenticated.
 */
export function signedParameters(form: URLSearchParams): string {
	return [...Map.groupBy(form, ([name]) => name).entries()]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.flatMap(([name, fields]) => [...new Set(fields.map(([, value]) => name + value))].sort())
		.join('');
}

/**
 * Whether Twilio signed this request. The signature is HMAC-SHA1 with the auth token as its key, over the URL to which
 * Twilio sent the request and the form's `signedParameters` (https://www.twilio.com/docs/usage/webhooks/webhooks-security).
 * As in the official library, the URL may be signed with or without its port, because Twilio's own servers differ in this.
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
