import type { Call } from '../../domain/calls/call.ts';
import type { LogFields } from '../../ports/log-redaction.ts';

/**
 * The fields of each log line about one phone of a call. If the line reports a change of the call, pass the call after the
 * change, so that the line shows the new status.
 */
export function legLine({ id: call_id, workspace_id, status: call_status, legs }: Call, leg_id: string): LogFields {
	const role = legs.find(({ id }) => id === leg_id)?.role;
	return { workspace_id, call_id, leg_id, ...(role !== undefined && { role }), call_status };
}
