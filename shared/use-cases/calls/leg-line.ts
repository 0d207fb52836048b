import type { Call } from '../../domain/calls/call.ts';
import type { LogFields } from '../../ports/log-redaction.ts';

/** What each line about one phone of a call has. `call`: after the fact, so that the line says where it led. */
export function legLine({ id: call_id, workspace_id, status: call_status, legs }: Call, leg_id: string): LogFields {
	const role = legs.find(({ id }) => id === leg_id)?.role;
	return { workspace_id, call_id, leg_id, ...(role !== undefined && { role }), call_status };
}
