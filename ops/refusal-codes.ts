/** The usual codes of dials that were refused, and what operators should do about them. docs/runbook.md has the same list. */
export const REFUSAL_CODES: ReadonlyMap<string, string> = new Map([
	['20003', 'Twilio does not accept the credentials: the secret must hold the auth token of this very (sub-)account'],
	['10001', 'the Twilio account is suspended or closed: see its console, often the balance'],
	['10002', 'a Twilio trial account does not support this: upgrade the account'],
	['21219', 'a Twilio trial account calls verified numbers only: upgrade the account'],
	[
		'21210',
		'the caller number is neither the account’s nor verified: correct `callerNumber` of the deployment, or the workspace’s --caller-number',
	],
	['21215', 'voice geographic permissions do not allow this country: allow it in Twilio’s console'],
	[
		'21216',
		'Twilio blocks this call: for +1 the account needs an approved Primary Customer Profile; ' +
			'otherwise the number or prefix is blocked: ask its support',
	],
	['573002', 'a Twilio trial account may not call this number from `from`: upgrade the account'],
	['573005', 'a Twilio trial account calls verified numbers only: upgrade the account'],
	['21205', 'Twilio cannot use our callback address: `publicBaseUrl` must be the public HTTPS address, ending in /v1'],
	['10009', 'Telnyx does not accept the API key: correct the secret'],
	['10010', 'Telnyx does not permit it: check the application, its outbound voice profile and the verification level'],
]);
