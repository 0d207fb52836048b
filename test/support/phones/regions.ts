import { telephonyFor } from '../../../shared/adapters/telephony/provider.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';

// Deployments at each provider and region that docs/telephony.md names, with the real adapters.

const FROM = '+12125550100';
export const SECRET = JSON.stringify({ auth_token: 'a token', api_key: 'a key' });
export const twilio = { account_sid: `AC${'0'.repeat(32)}`, from: FROM };
export const telnyx = { account_sid: 'org', application_sid: 'app', public_key: `${'A'.repeat(43)}=`, from: FROM };

/** `host`: the only host that may receive a request from this deployment. */
export const deployments = [
	{ provider: 'twilio', settings: twilio, host: 'api.twilio.com' },
	{ provider: 'twilio', settings: { ...twilio, region: 'us1' }, host: 'api.twilio.com' },
	{ provider: 'twilio', settings: { ...twilio, region: 'ie1' }, host: 'api.dublin.ie1.twilio.com' },
	{ provider: 'twilio', settings: { ...twilio, region: 'au1' }, host: 'api.sydney.au1.twilio.com' },
	{ provider: 'telnyx', settings: telnyx, host: 'api.telnyx.com' },
	{ provider: 'telnyx', settings: { ...telnyx, region: 'us' }, host: 'api.telnyx.com' },
	{ provider: 'telnyx', settings: { ...telnyx, region: 'eu' }, host: 'api.telnyx.eu' },
] as const;
type Deployed = { readonly provider: 'twilio' | 'telnyx'; readonly settings: object };

/** The telephony adapter that a function of this deployment uses. */
export const adapterOf = ({ provider, settings }: Deployed): Telephony =>
	telephonyFor(
		{
			PUBLIC_BASE_URL: 'https://calls.example.com/v1',
			TELEPHONY_PROVIDER: provider,
			TELEPHONY_SETTINGS: JSON.stringify(settings),
			TELEPHONY_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:provider',
			AWS_REGION: 'eu-west-1',
			AWS_ACCESS_KEY_ID: 'id',
			AWS_SECRET_ACCESS_KEY: 'key',
		},
		null,
		() => ({ read: async () => SECRET }),
	);
