import type { Route } from '../../contract/route.ts';
import { Refused } from '../exchange.ts';
import type { Stage } from '../pipeline.ts';
import type { Principal } from './authenticate.ts';
import { clientGate, type GateDeps } from './client-gate.ts';

/** Authenticates the API key, checks its permission, and counts the request against its limits. */
export function admitClient<R extends Route>(route: R, deps: GateDeps): Stage<R, Principal> {
	const admit = clientGate(route, deps);
	return {
		name: 'admit-client',
		before: async ({ event: exchange }) => {
			const who = await admit(exchange.request.headers['authorization']);
			if ('problem' in who) throw new Refused(who.problem);
			exchange.headers = who.headers;
			exchange.caller = who.principal;
			exchange.workspace_id = who.principal.workspace_id;
		},
	};
}
