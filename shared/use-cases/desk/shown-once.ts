import { NONCE_BYTES, openForSession, SHOWN_WITHIN_SECONDS, sealForSession } from '../../domain/desk/shown-once.ts';
import { idempotencyScope } from '../../domain/kernel/idempotency.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import type { AtDesk } from './enter-desk.ts';

// After a form has made a new secret, the browser is redirected to a page that shows the secret once. Reloading the page or
// going back to it does not show the secret again. If a button was pressed twice, both presses lead to the same page.

type NewSecret = { readonly secret: string; readonly resource_id: string };

const placeOf = ({ workspace, session }: AtDesk, press: string): string =>
	idempotencyScope({ workspace_id: workspace.id, operation: 'show-once', resource_id: session.id, key: press });

/**
 * The write that stores the new secret of a press until the next page shows it. Put the write into the transaction that
 * makes the secret.
 */
export function keepToShow(
	at: AtDesk,
	press: string,
	{ secret, resource_id }: NewSecret,
	{ ids, clock }: Pick<Ports, 'ids' | 'clock'>,
): Write {
	const scope = placeOf(at, press);
	const sealed_secret = sealForSession(at.secret, secret, scope, ids.random(NONCE_BYTES));
	const expires_at_epoch_s = Math.floor(clock.now() / 1000) + SHOWN_WITHIN_SECONDS;
	const item = { scope, body_hash: '', status: 200, body: '', resource_id, sealed_secret, expires_at_epoch_s };
	return { op: 'put', record: 'idempotency', item, guard: { if: 'absent' } };
}

/**
 * Returns the secret that a press has made, and removes the stored secret, so that the secret is shown only once. Null if
 * the secret was shown already, or if it has expired.
 */
export async function showOnce(
	at: AtDesk,
	press: string,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<NewSecret | null> {
	const scope = placeOf(at, press);
	const record = await store.get('idempotency', { scope });
	if (record === null || record.sealed_secret === null || record.resource_id === null) return null;
	await store.commit([{ op: 'remove', record: 'idempotency', key: { scope }, guard: { if: 'always' } }]);
	if (record.expires_at_epoch_s * 1000 <= clock.now()) return null;
	const secret = openForSession(at.secret, record.sealed_secret, scope);
	return secret === null ? null : { secret, resource_id: record.resource_id };
}
