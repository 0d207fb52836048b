import { limitsOf } from '../../domain/access/limits.ts';
import { sourceUrl } from '../../domain/access/origin.ts';
import { type ClosingLimit, type NumberHashes, type Requester, requestCounts } from '../../domain/access/rate-limit.ts';
import { maskPhone } from '../../domain/kernel/phone-mask.ts';
import type { PhoneRefusal } from '../../domain/kernel/phone-number.ts';
import { refusalToCall } from '../../domain/workspaces/callable-number.ts';
import { type ConsentCase, consentById } from '../../domain/workspaces/consent-text.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { addressHash, formerNumberHashes, networkHash, numberHash, platformNumberHash } from '../access/keyed-hash.ts';
import type { CallDeps } from '../calls/advance-call.ts';

export type VisitorDeps = CallDeps & Pick<Ports, 'numbers' | 'sealer' | 'macs' | 'log'>;

/** What a visitor sent, from a page that the workspace allows. */
export type VisitorRequest = {
	readonly workspace: Workspace;
	readonly origin: string;
	readonly source_ip: string;
	readonly phone: string;
	readonly name: string | null;
	readonly consent: boolean;
	/** The id of the text that the page showed. If there is no id, the page showed the workspace's `consent_text`. */
	readonly consent_text_id?: string | null | undefined;
	readonly page_url: string;
	readonly reference?: string | null | undefined;
};

/** A visitor's request in the form in which it is stored. `e164` is the number itself, which is held only in memory. */
export type ScreenedVisitor = Requester & {
	readonly e164: string;
	readonly visitor_phone_masked: string;
	readonly number: NumberHashes;
	/** The number's hashes that were made with older keys. */
	readonly former_hashes: readonly string[];
	readonly source_url: string;
	readonly name: string | null;
	readonly reference: string | null;
	readonly consent: ConsentEvidence;
};

/** The text that a visitor agreed to. `language` is null if the page did not say which text it showed. */
type ConsentEvidence = { readonly text: string; readonly language: Language | null };
export type ConsentRefusal = {
	readonly refused: 'consent_required';
	/**
	 * `not_given`: the visitor did not agree. `unknown_text`: the visitor agreed to a text that the workspace does not show
	 * for this purpose.
	 */
	readonly fault: 'not_given' | 'unknown_text';
};

export type ScreeningRefusal =
	| PhoneRefusal
	| ConsentRefusal
	| { readonly refused: 'page_url_invalid' | 'page_url_mismatch' | 'country_not_allowed' | 'phone_not_callable' };

/** Makes the checks that need no table, cheapest first: the consent, the page, and whether this number may be called. */
export async function screenVisitor(
	request: VisitorRequest,
	purpose: ConsentCase,
	{ numbers, macs }: Pick<VisitorDeps, 'numbers' | 'macs'>,
): Promise<ScreenedVisitor | ScreeningRefusal> {
	const consent = consentTo(request, purpose);
	if ('refused' in consent) return consent;
	const page = sourceUrl(request.page_url, request.origin);
	if ('refused' in page) return page;
	const phone = numbers.parse(request.phone);
	if ('refused' in phone) return phone;
	const refusal = refusalToCall(phone, request.workspace);
	if (refusal !== null) return { refused: refusal };
	const workspaceId = request.workspace.id;
	return {
		e164: phone.e164,
		visitor_phone_masked: maskPhone(phone.e164),
		number: {
			number_hash: await numberHash(macs, workspaceId, phone.e164),
			platform_number_hash: await platformNumberHash(macs, phone.e164),
		},
		former_hashes: await formerNumberHashes(macs, workspaceId, phone.e164),
		address_hash: await addressHash(macs, workspaceId, request.source_ip),
		network_hash: await networkHash(macs, workspaceId, request.source_ip),
		source_url: page.source_url,
		name: request.name,
		reference: request.reference ?? null,
		consent,
	};
}

/**
 * Finds the text that the visitor agreed to, among the texts that the workspace shows. If the text has changed since the
 * page was opened, the request is refused, so that the visitor reads the new text.
 */
function consentTo(
	{ workspace, consent, consent_text_id = null }: VisitorRequest,
	purpose: ConsentCase,
): ConsentEvidence | ConsentRefusal {
	if (!consent) return { refused: 'consent_required', fault: 'not_given' };
	if (consent_text_id === null) return { text: workspace.consent_text, language: null };
	return consentById(workspace, purpose, consent_text_id) ?? { refused: 'consent_required', fault: 'unknown_text' };
}

/**
 * How many seconds the evidence of consent is kept. Claims under the US Telephone Consumer Protection Act can be brought
 * for four years after the call (28 U.S.C. 1658(a)), and a lead may be called a month after the consent. So the evidence is
 * kept for four years and 90 days.
 */
export const CONSENT_SECONDS = (4 * 366 + 90) * 24 * 3600;

/**
 * The writes of the records about a visitor, apart from the call or lead. These records are the encrypted number, which is
 * kept for `numberSeconds`, and the evidence of consent: the text, the time, the page and the origin.
 */
export function keepVisitor(
	owner: string,
	{ workspace, origin }: VisitorRequest,
	visitor: ScreenedVisitor,
	numberSeconds: number,
	{ sealer, clock }: Pick<Ports, 'sealer' | 'clock'>,
): readonly Write[] {
	const nowMs = clock.now();
	const nowEpochSeconds = Math.floor(nowMs / 1000);
	const sealedNumber = sealer.sealNumber(visitor.e164);
	const consent = {
		number_hash: visitor.number.number_hash,
		subject: owner,
		workspace_id: workspace.id,
		text: visitor.consent.text,
		language: visitor.consent.language,
		given_at: new Date(nowMs).toISOString(),
		page_url: visitor.source_url,
		origin,
		address_hash: visitor.address_hash,
		expires_at_epoch_s: nowEpochSeconds + CONSENT_SECONDS,
	};
	const number = { owner, sealed: sealedNumber, expires_at_epoch_s: nowEpochSeconds + numberSeconds };
	const guard = { if: 'absent' } as const;
	return [
		{ op: 'put', record: 'sealed_number', item: number, guard },
		{ op: 'put', record: 'consent', item: consent, guard },
	];
}

/**
 * Counts a request against the rate limits of its address and its network. False if one of the limits is reached. Each
 * counter is raised by a write of its own, outside of a transaction, because refused requests count, too.
 */
export async function countRequest(
	workspace: Workspace,
	requester: Requester,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const counts = requestCounts({ ...requester, limits: limitsOf(workspace) }, clock.now());
	const outcomes = await Promise.all(counts.map((count) => store.count(count)));
	return outcomes.every(({ counted }) => counted);
}

/**
 * Logs an alert for operators if a request was refused because a limit of the whole workspace is reached. Until that limit
 * resets, every visitor's request of this kind is refused.
 */
export function noteClosingLimit<Result extends object>(
	result: Result & { readonly closes?: ClosingLimit },
	{ workspace }: Pick<VisitorRequest, 'workspace'>,
	{ log }: Pick<Ports, 'log'>,
): Result {
	if (result.closes !== undefined) log.warn('limit spent', { workspace_id: workspace.id, code: result.closes });
	return result;
}
