import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import type { ScreenedVisitor, VisitorRequest } from './screen-visitor.ts';

/**
 * Evidence of consent is kept this long, in seconds. Claims under the US Telephone Consumer Protection Act can be brought for
 * four years after the call (28 U.S.C. 1658(a)), and a lead may be called a month after the consent: four years and 90 days.
 */
const CONSENT_SECONDS = (4 * 366 + 90) * 24 * 3600;

/**
 * The records about a visitor besides the call or lead: the sealed number, for `number_seconds`, and the evidence of
 * consent (the text, the time, the page and the origin).
 */
export function keepVisitor(
	owner: string,
	{ workspace, origin }: VisitorRequest,
	visitor: ScreenedVisitor,
	number_seconds: number,
	{ sealer, clock }: Pick<Ports, 'sealer' | 'clock'>,
): readonly Write[] {
	const now_ms = clock.now();
	const now_epoch_s = Math.floor(now_ms / 1000);
	const sealed_number = sealer.sealNumber(visitor.e164);
	const consent = {
		number_hash: visitor.number.number_hash,
		subject: owner,
		workspace_id: workspace.id,
		text: visitor.consent.text,
		language: visitor.consent.language,
		given_at: new Date(now_ms).toISOString(),
		page_url: visitor.source_url,
		origin,
		address_hash: visitor.source.address_hash,
		expires_at_epoch_s: now_epoch_s + CONSENT_SECONDS,
	};
	const number = { owner, sealed: sealed_number, expires_at_epoch_s: now_epoch_s + number_seconds };
	const guard = { if: 'absent' } as const;
	return [
		{ op: 'put', record: 'sealed_number', item: number, guard },
		{ op: 'put', record: 'consent', item: consent, guard },
	];
}
