import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import twilio from 'twilio';
import { isSignedByTwilio, signedParameters } from '../../../shared/adapters/telephony/twilio/twilio-signature.ts';
import { anyCharacter } from '../../support/any-character.ts';

const TOKEN = 'auth-token-of-the-account';

describe("our check of Twilio's signature", () => {
	const text = fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom('+', '%', '&', '=', ' ', 'ü', '😀')) });
	const form = fc.array(fc.tuple(fc.oneof(fc.constantFrom('CallSid', 'To', 'a', 'A', 'a1'), text), text), {
		maxLength: 8,
	});
	const host = fc.constantFrom(
		'calls.example.com',
		'calls.example.com:443',
		'calls.example.com:8443',
		'[2001:db8::1]:444',
	);
	const url = fc
		.tuple(fc.constantFrom('https', 'http'), host, fc.stringMatching(/^[A-Za-z0-9/_.~-]{0,30}$/))
		.map(([scheme, authority, path]) => `${scheme}://${authority}/${path}`);
	/** A form as a web framework passes it to the library: the values of a repeated name become an array. */
	const asParsed = (body: string) => {
		const params: Record<string, string | string[]> = Object.create(null);
		for (const [name, value] of new URLSearchParams(body)) {
			const known = Object.hasOwn(params, name) ? params[name] : undefined;
			params[name] = known === undefined ? value : [known, value].flat();
		}
		return params;
	};
	const portless = (given: string) => given.replace(/:\d+(?=\/)/, '');

	it('agrees with the official library on genuine requests', () => {
		fc.assert(
			fc.property(url, form, fc.constantFrom('as it is', 'without port', 'altered'), (asked, pairs, how) => {
				const body = String(new URLSearchParams(pairs));
				const params = asParsed(body);
				const signedUrl = { 'as it is': asked, 'without port': portless(asked), altered: `${asked}x` }[how];
				const signature = twilio.getExpectedTwilioSignature(TOKEN, signedUrl, params);
				const official = twilio.validateRequest(TOKEN, signature, asked, params);
				expect(official).toBe(how !== 'altered');
				expect(isSignedByTwilio(TOKEN, signature, asked, signedParameters(new URLSearchParams(body)))).toBe(official);
			}),
			{ numRuns: 500 },
		);
	});

	it('agrees with the official library that a changed field, header or key is not genuine', () => {
		fc.assert(
			fc.property(url, form, text, (asked, pairs, extra) => {
				const body = String(new URLSearchParams(pairs));
				const params = asParsed(body);
				const genuine = twilio.getExpectedTwilioSignature(TOKEN, asked, params);
				const parameters = signedParameters(new URLSearchParams(body));
				const longer = signedParameters(new URLSearchParams([...pairs, ['extra', extra]]));
				expect(isSignedByTwilio(TOKEN, genuine, asked, longer)).toBe(false);
				expect(isSignedByTwilio(`${TOKEN}x`, genuine, asked, parameters)).toBe(false);
				const bare = createHmac('sha1', TOKEN).update(asked).digest('hex');
				expect(isSignedByTwilio(TOKEN, bare, asked, parameters)).toBe(false);
			}),
		);
	});
});
