import * as z from 'zod/mini';
import { Id, Nothing } from '../kernel/common.ts';
import { route } from '../route.ts';

/**
 * A page opens the WebSocket to wait for the end of its call. This is no row of the HTTP API's table: the path is the stage of
 * another API, and the call's id is in the query. `connection_id`: of the gateway.
 */
export const watchCall = route('watch-call', 'GET', '/live', {
	summary: "Wait for the end of the visitor's own call",
	surface: 'widget',
	polled: true,
	params: z.object({ id: Id, connection_id: z.string() }),
	response: Nothing,
	refusals: ['call_already_terminal'],
});
