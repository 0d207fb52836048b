import { maskPhone, type PhoneRefusal } from '../../domain/kernel/phone-number.ts';
import { refusalToCall } from '../../domain/visitors/callable-number.ts';
import { sourceUrl } from '../../domain/workspaces/origin.ts';
import type { NumberHashes, RequestSource } from '../../domain/workspaces/rate-limit.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { CallDeps } from '../calls/advance-call.ts';
import type { ConsentRefusal } from './consent-given.ts';
import { formerNumberHashes, numberHash, platformNumberHash, requestSource } from './keyed-hash.ts';
import type { SpentWindows } from './spend-window.ts';

/** The dependencies of a visitor's request. */
export type VisitorDeps = CallDeps & Pick<Ports, 'numbers' | 'sealer' | 'macs'> & { readonly windows: SpentWindows };

/** A visitor's input, from a page that the workspace allows. */
export type VisitorRequest = {
	readonly workspace: Workspace;
	readonly origin: string;
	readonly source_ip: string;
	readonly phone: string;
	readonly name: string | null;
	readonly consent: boolean;
	readonly consent_text_id?: string | null | undefined;
	readonly page_url: string;
	readonly reference?: string | null | undefined;
};

/** A visitor's request in its stored form. `e164` is held in memory only. */
export type ScreenedVisitor = {
	readonly e164: string;
	readonly visitor_phone_masked: string;
	readonly number: NumberHashes;
	/** The number's hashes with replaced keys. */
	readonly former_hashes: readonly string[];
	readonly source: RequestSource;
	readonly source_url: string;
	readonly name: string | null;
	readonly reference: string | null;
};

export type ScreeningRefusal =
	| PhoneRefusal
	| ConsentRefusal
	| { readonly refused: 'page_url_invalid' | 'page_url_mismatch' | 'country_not_allowed' | 'phone_not_callable' };

/** The checks without I/O, cheapest first: page, and whether this number may be called. */
export async function screenVisitor(
	request: VisitorRequest,
	{ numbers, macs }: Pick<VisitorDeps, 'numbers' | 'macs'>,
): Promise<ScreenedVisitor | ScreeningRefusal> {
	const page = sourceUrl(request.page_url, request.origin);
	if ('refused' in page) return page;
	const phone = numbers.parse(request.phone);
	if ('refused' in phone) return phone;
	const refusal = refusalToCall(phone, request.workspace);
	if (refusal !== null) return { refused: refusal };
	const workspace_id = request.workspace.id;
	return {
		e164: phone.e164,
		visitor_phone_masked: maskPhone(phone.e164),
		number: {
			number_hash: await numberHash(macs, workspace_id, phone.e164),
			platform_number_hash: await platformNumberHash(macs, phone.e164),
		},
		former_hashes: await formerNumberHashes(macs, workspace_id, phone.e164),
		source: await requestSource(macs, workspace_id, request.source_ip),
		source_url: page.source_url,
		name: request.name,
		reference: request.reference ?? null,
	};
}
