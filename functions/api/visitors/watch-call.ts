import { watchCall as route } from '../../../shared/contract/visitors/watch-call.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { forPollers, handle } from '../../../shared/http/handle.ts';
import { alreadyTerminal, NOT_FOUND } from '../../../shared/http/refusals.ts';
import { fromHandshake } from '../../../shared/http/visitors/handshake.ts';
import { watchCall } from '../../../shared/use-cases/visitors/watch-call.ts';

/** The gateway opens the connection if this answers 200. */
export const handler = fromHandshake(
	handle(forPollers, route, {
		deps: () => edgeDeps(route.operation),
		run: async ({ params: { id, connection_id } }, deps) => {
			const result = await watchCall({ call_id: id, connection_id }, deps);
			switch (result.outcome) {
				case 'watching':
					return { answer: {} };
				case 'call_already_terminal':
					return { problem: alreadyTerminal(result.call_status) };
				case 'not_found':
					return { problem: NOT_FOUND };
			}
		},
	}),
);
