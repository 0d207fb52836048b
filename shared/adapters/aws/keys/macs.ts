import type { Macs } from '../../../ports/vault.ts';
import { answerCache } from '../../system/answer-cache.ts';
import { generateMac, given, type KmsEnv, kmsClient } from './kms.ts';

type MacsEnv = KmsEnv & {
	readonly MAC_KEY_ID: string;
	/** KMS keys that MAC_KEY_ID replaced, separated by commas. */
	readonly FORMER_MAC_KEY_IDS?: string | undefined;
};

/** Derives keys from KMS's HMAC key, one for each purpose, once in a process. Does not cache a failure. */
export function kmsMacs(env: MacsEnv): Macs {
	const kms = kmsClient(env);
	const cache = answerCache<Uint8Array>();
	async function derive(key_id: string, purpose: string): Promise<Uint8Array> {
		const { Mac } = await kms(generateMac, {
			KeyId: key_id,
			Message: Buffer.from(purpose),
			MacAlgorithm: 'HMAC_SHA_256',
		});
		return given(Mac);
	}
	const keyOf = (key_id: string, purpose: string): Promise<Uint8Array> =>
		cache(`${key_id} ${purpose}`, () => derive(key_id, purpose));
	const former = env.FORMER_MAC_KEY_IDS?.split(',') ?? [];
	return {
		key: (purpose) => keyOf(env.MAC_KEY_ID, purpose),
		former: (purpose) => Promise.all(former.map((key_id) => keyOf(key_id, purpose))),
	};
}
