import * as z from 'zod/mini';
import { withoutQuery } from '../../presentation/team-words.ts';
import { readPlace, recoverDeliveries, writePlace } from '../../use-cases/webhooks/recover-deliveries.ts';
import { developerAction } from './developer-action.ts';
import { endpointForm } from './endpoint-actions.ts';

const HOUR_MS = 3_600_000;
/** `since`: hours ago. `from`: where the part before has ended; empty: at the newest event. */
const recovery = z.extend(endpointForm, {
	since: z.enum(['1', '24', '72', '168', '720']),
	missing: z.optional(z.string()),
	dry_run: z.optional(z.string()),
	from: z.optional(z.string()),
});

/** Counts what an endpoint missed, or sends it again, for some seconds; the result says where the next part starts. */
export const recoverMissed = developerAction(
	recovery,
	async ({ id, since, missing, dry_run, from = '' }, at) => {
		const { store, clock, workspace } = at;
		const endpoint = await store.get('webhook_endpoint', { workspace_id: workspace.id, id });
		if (endpoint === null) return { refused: 'not_found' };
		const isDry = dry_run === 'yes';
		if (!isDry && endpoint.status === 'disabled') return { refused: 'endpoint_disabled' };
		const place = from === '' ? null : readPlace(from, clock.now());
		// The parts of one recovery are one entry of the audit list.
		if (!isDry && place === null) await store.commit([at.entryAbout(withoutQuery(endpoint.url))]);
		const input = {
			workspace_id: workspace.id,
			endpoint_id: id,
			since_ms: clock.now() - Number(since) * HOUR_MS,
			until_ms: null,
			mode: missing === 'yes' ? 'missing' : 'failed',
			dry_run: isDry,
			from: place ?? undefined,
		} as const;
		const outcome = await recoverDeliveries(input, at);
		if (outcome === null) return { refused: 'not_found' };
		if ('refused' in outcome) return outcome;
		const { matched, queued, next } = outcome;
		const count = isDry ? matched : queued;
		const part = { dry_run: isDry, count, next: next && writePlace(next) };
		return { result: { recovery: part, form: { since, missing: missing ?? '' } } };
	},
	'recover-webhook-endpoint',
);
