import { ACCOUNT_SID, FROM, TOKEN } from '../../support/phones/account-answers.ts';
import { aws } from './deployer.ts';
import { type Account, keepSecret, planned, preflight } from './deployment.ts';
import { say } from './run.ts';

// Checks three set-ups with which operators used to fail on their first day: a sub-account, a provider in the EU, and a mail
// address to which SES sends nothing.

export const AUTH_TOKEN = 'the auth token of the region';
export const MAIL_SENDER = 'calls@shop.example';
/** This address is on the account's suppression list. */
export const SUPPRESSED = 'team@shop.example';
const PUBLIC_KEY = `${'A'.repeat(43)}=`;

/**
 * Checks that the preflight passes for each kind of account, with warnings at most. Returns the telephony properties for the
 * deployment, which uses Twilio in Ireland.
 */
export async function connectable(account: Account) {
	await aws(['sesv2', 'create-email-identity', '--email-identity', 'shop.example'], account);
	const secret = await keepSecret({ auth_token: AUTH_TOKEN }, account);
	const twilio = { provider: 'twilio', accountSid: ACCOUNT_SID, callerNumber: FROM, secret };
	await passes(
		'a sub-account of Twilio',
		twilio,
		account,
		/^warning {2}calls to US: not seen: the permissions of the parent account/m,
	);
	const eu = {
		provider: 'telnyx',
		accountSid: 'org',
		applicationSid: 'app',
		publicKey: PUBLIC_KEY,
		callerNumber: FROM,
		secret,
		region: 'eu',
	};
	await passes('Telnyx in the EU', eu, account, /^ok {7}calls to US: allowed$/m);
	return { ...twilio, region: 'ie1' };
}

/** Runs the preflight with the token of US1, as docs/telephony.md describes for checks that a region does not offer. */
async function passes(what: string, telephony: object, account: Account, expected: RegExp): Promise<void> {
	const env = { ...account.env, TWILIO_AUTH_TOKEN: TOKEN, TELNYX_API_KEY: TOKEN };
	const printed = await preflight(planned({ telephony, mailSender: MAIL_SENDER }, account), { ...account, env });
	if (!expected.test(printed)) throw new Error(`the preflight of ${what} does not say ${expected}: ${printed}`);
	say(`the preflight passes ${what}:\n${printed}`);
}
