import type { MacsEnv } from '../../../env.ts';
import type { Macs } from '../../../ports/vault.ts';
import { answerCache } from '../../system/answer-cache.ts';
import { generateMac, given, kmsClient } from './kms.ts';

/** Derives keys from KMS's HMAC key, one for each purpose, once in a process. Does not cache a failure. */
export function kmsMacs(env: MacsEnv): Macs {
	const kms = kmsClient(env);
	const cache = answerCache<Uint8Array>();
	const keyOf = (key_id: string, purpose: string): Promise<Uint8Array> =>
		cache(`${key_id} ${purpose}`, async () => {
			const input = { KeyId: key_id, Message: Buffer.from(purpose), MacAlgorithm: 'HMAC_SHA_256' } as const;
			return given((await kms(generateMac, input)).Mac);
		});
	const former = env.FORMER_MAC_KEY_IDS?.split(',') ?? [];
	return {
		key: (purpose) => keyOf(env.MAC_KEY_ID, purpose),
		former: (purpose) => Promise.all(former.map((key_id) => keyOf(key_id, purpose))),
	};
}
