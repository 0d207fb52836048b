import type { Telephony } from '../../ports/telephony.ts';

/** Without a provider, the service places no call and trusts no callback. */
export const noTelephony: Telephony = {
	dial: async () => ({ dial: 'rejected', reason: 'provider_rejected', code: 'no_provider' }),
	hangup: async () => ({ hangup: 'already_over' }),
	lookup: async () => ({ lookup: 'missing' }),
	receive: async () => ({ received: 'forged' }),
	render: () => ({ content_type: 'text/plain', body: '' }),
};
