import type { Store } from '../../ports/store.ts';
import { Refused } from '../exchange.ts';
import { headersForUnknownWorkspace, presentedOrigin, VARY } from '../headers/cors.ts';
import { onRefusal, type Stage } from '../pipeline.ts';
import { ORIGIN_NOT_ALLOWED } from '../refusals.ts';

/**
 * Refuses a missing Origin, or `null`, before anything is read. While the workspace is unknown, the page may read a refusal
 * if any workspace allows its origin.
 */
export function requireOrigin(store: Store): Stage {
	return {
		name: 'require-origin',
		before: ({ event: exchange }) => {
			exchange.headers = VARY;
			exchange.origin = presentedOrigin(exchange.request.headers['origin']);
			if (exchange.origin === null) throw new Refused(ORIGIN_NOT_ALLOWED);
		},
		onError: onRefusal(async (exchange, { code }) => {
			const { caller, origin = null } = exchange;
			if (caller === undefined && code !== 'origin_not_allowed') {
				exchange.headers = await headersForUnknownWorkspace(origin, store);
			}
			return null;
		}),
	};
}
