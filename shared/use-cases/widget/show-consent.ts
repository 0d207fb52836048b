import { maskPhone } from '../../domain/kernel/phone-mask.ts';
import { numberSubject } from '../../domain/kernel/phone-number.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { Ports } from '../../ports/ports.ts';
import { numberHashes } from '../access/keyed-hash.ts';

/** The texts that a person agreed to, with the time and the page. The number is shown only in its masked form. */
export type ConsentReport = {
	readonly workspace_id: string;
	readonly phone_masked: string;
	/** Oldest first. Empty if there is no consent, or if all consents have expired. */
	readonly consents: readonly {
		readonly for: 'call' | 'lead';
		readonly id: string;
		readonly given_at: string;
		readonly text: string;
		/** The language of the text. Null if the page did not say which text it showed. */
		readonly language: Language | null;
		readonly page_url: string;
		readonly origin: string;
		/** The keyed hash of the visitor's IP address. Two requests from one address have the same hash. */
		readonly address_hash: string;
		readonly kept_until: string;
	}[];
};

/** Finds the evidence of consent that a workspace has for a number. Changes nothing. */
export async function showConsent(
	{ workspace_id, e164 }: { readonly workspace_id: string; readonly e164: string },
	{ store, macs }: Pick<Ports, 'store' | 'macs'>,
): Promise<ConsentReport> {
	const hashes = await numberHashes(macs, workspace_id, e164);
	const records = (await Promise.all(hashes.map((hash) => store.consentsOf(hash)))).flat();
	const consents = records.map(({ subject, expires_at_epoch_s, ...evidence }) => {
		const { given_at, text, language = null, page_url, origin, address_hash } = evidence;
		const { kind, id } = numberSubject(subject);
		const kept_until = new Date(expires_at_epoch_s * 1000).toISOString();
		return { for: kind, id, given_at, text, language, page_url, origin, address_hash, kept_until };
	});
	consents.sort((a, b) => (a.given_at < b.given_at ? -1 : 1));
	return { workspace_id, phone_masked: maskPhone(e164), consents };
}
