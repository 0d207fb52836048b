import type { Put } from '../ports/store.ts';
import type { ScreenedVisitor, VisitorRequest } from './screen-visitor.ts';

/** Evidence of consent is kept this long, in seconds: three years, the usual limit for claims. */
const CONSENT_SECONDS = 3 * 365 * 24 * 3600;

/** Evidence that the visitor agreed: which text, when, on which page, from where. Written with what was agreed to. */
export function keepConsent(
	subject: string,
	request: VisitorRequest,
	screened: ScreenedVisitor,
	now: number,
): Put<'consent'> {
	return {
		op: 'put',
		record: 'consent',
		guard: { if: 'absent' },
		item: {
			subject,
			workspace_id: request.workspace.id,
			text: request.workspace.consent_text,
			given_at: new Date(now).toISOString(),
			page_url: screened.source_url,
			origin: request.origin,
			address_hash: screened.address_hash,
			expires_at_epoch_s: Math.floor(now / 1000) + CONSENT_SECONDS,
		},
	};
}
