import * as z from 'zod/mini';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { readPlace, recoverDeliveries as recover, writePlace } from '../../../use-cases/webhooks/recover-deliveries.ts';
import { type Actor, asRequest, defineAction, formOf, type Uses } from '../define-action.ts';
import { ofEndpoint, pageAfter } from './endpoint-actions.ts';

const HOUR_MS = 3_600_000;
/**
 * `since`: how many hours the recovery goes back. `from`: the event at which this part of the recovery starts. If `from` is
 * empty, the recovery starts at the newest event.
 */
const recovery = z.extend(ofEndpoint, {
	since: z.enum(['1', '24', '72', '168', '720']),
	missing: z.optional(z.string()),
	dry_run: z.optional(z.string()),
	from: z.optional(z.string()),
});
type Recovery = z.infer<typeof recovery>;

const placeOf = ({ from = '' }: Recovery, { clock }: Pick<Uses, 'clock'>) =>
	from === '' ? null : readPlace(from, clock.now());

/** All parts of a recovery share one audit entry. A form that only counts writes no entry. */
async function about(form: Recovery, { workspace }: Actor, deps: Pick<Uses, 'store' | 'clock'>) {
	if (form.dry_run === 'yes' || placeOf(form, deps) !== null) return undefined;
	const endpoint = await deps.store.get('webhook_endpoint', { workspace_id: workspace.id, id: form.id });
	return endpoint?.status === 'enabled' ? withoutQuery(endpoint.url) : undefined;
}

/**
 * Counts the deliveries that an endpoint missed, or sends them again. One form handles one part of these deliveries, so that
 * each answer takes only some seconds. The result says where the next part starts.
 */
export const recoverDeliveries = defineAction(formOf(recovery), {
	limit: asRequest('recover-webhook-endpoint'),
	audit: { with: null, about },
	next: pageAfter('recover-deliveries'),
	run: async (form, { workspace }, deps: Uses<'queues'>) => {
		const { id, since, missing, dry_run } = form;
		const { store, clock } = deps;
		const endpoint = await store.get('webhook_endpoint', { workspace_id: workspace.id, id });
		if (endpoint === null) return { refused: 'not_found' };
		const isDry = dry_run === 'yes';
		if (!isDry && endpoint.status === 'disabled') return { refused: 'endpoint_disabled' };
		const input = {
			workspace_id: workspace.id,
			endpoint_id: id,
			since_ms: clock.now() - Number(since) * HOUR_MS,
			until_ms: null,
			mode: missing === 'yes' ? 'missing' : 'failed',
			dry_run: isDry,
			from: placeOf(form, deps) ?? undefined,
		} as const;
		const outcome = await recover(input, deps);
		if (outcome === null) return { refused: 'not_found' };
		if ('refused' in outcome) return outcome;
		const { matched, queued, next } = outcome;
		const count = isDry ? matched : queued;
		const part = { dry_run: isDry, count, next: next && writePlace(next) };
		return { result: { recovery: part, form: { since, missing: missing ?? '' } } };
	},
});
