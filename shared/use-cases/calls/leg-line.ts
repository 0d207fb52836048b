import type { Call } from '../../domain/calls/call.ts';
import type { LogFields } from '../../ports/log-redaction.ts';

/**
 * The fields of each log line about one phone of a call. Pass the call in its state after the fact that the line reports,
 * so that the line shows the fact's effect.
 */
export function legLine({ id: call_id, workspace_id, status: call_status, legs }: Call, leg_id: string): LogFields {
	const role = legs.find(({ id }) => id === leg_id)?.role;
	return { workspace_id, call_id, leg_id, ...(role !== undefined && { role }), call_status };
}
