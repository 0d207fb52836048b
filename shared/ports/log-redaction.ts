import { definedFields } from '../domain/kernel/defined-fields.ts';

/**
 * Only these may be logged: identifiers, codes, counts and times. There is no free text field on purpose. Each line has the
 * members of one fact, which docs/logs.md lists.
 */
export const logFields = {
	/** The id of API Gateway, which the access log and the header `x-request-id` have, too. */
	request_id: 'string',
	/** The id of Lambda, for workers. The name is that of Powertools for AWS Lambda. */
	function_request_id: 'string',
	operation: 'string',
	/** An HTTP status. */
	status: 'number',
	/** Why, as a stable code; for a response the one that the client got. */
	code: 'string',
	/** For a refused request, in addition to `code`: which limit, which fault, why no calls are taken. */
	reason: 'string',
	workspace_id: 'string',
	call_id: 'string',
	/** The call's status after the fact. */
	call_status: 'string',
	/** One phone of a call. */
	leg_id: 'string',
	/** The leg's role: `agent` or `visitor`. */
	role: 'string',
	lead_id: 'string',
	event_id: 'string',
	event: 'string',
	endpoint_id: 'string',
	delivery_id: 'string',
	api_key_id: 'string',
	/** The action of a desk's form, such as `member_off`. */
	form: 'string',
	/** The notice's channel: `mail` or `chat`. */
	channel: 'string',
	attempt: 'number',
	/** The most attempts that the schedule makes. */
	attempts_planned: 'number',
	next_attempt_at: 'string',
	/** The endpoint's breaker when the attempt began. `open`: this attempt is the probe. */
	breaker: 'string',
	/** A mail address, see `maskedAddress`. */
	address_masked: 'string',
	/** When the current run of failures to reach a chat or a mail address began. */
	failing_since: 'string',
	outcome: 'string',
	/** A phone provider's report, as a query string of its own field names: codes, times, and stand-ins for ids. */
	detail: 'string',
	service: 'string',
	/** The name of its operation, such as `SendMessageBatch`. */
	service_operation: 'string',
	queue: 'string',
	count: 'number',
	duration_ms: 'number',
	/** From the decision to do the work until its start. */
	waited_ms: 'number',
	/** The size of the body that was sent. */
	bytes: 'number',
	/** The phases of an attempt; absent: not reached, or the connection was reused. */
	dns_ms: 'number',
	connect_ms: 'number',
	tls_ms: 'number',
	first_byte_ms: 'number',
	/** How far the most overdue work was past its due time. */
	late_ms: 'number',
	/** The release of the tz database in the runtime. */
	zone_data: 'string',
	/** An error's class name; never its message. */
	error: 'string',
	/** The position of the error: function names and positions, no values. */
	stack: 'string',
} as const satisfies Readonly<Record<string, 'string' | 'number'>>;
type FieldTypes = { readonly string: string; readonly number: number };
export type LogFields = { readonly [F in keyof typeof logFields]?: FieldTypes[(typeof logFields)[F]] };

const FRAMES = 5;

/** The position of the error. A stack begins with the message, which may contain anything, on any number of lines. */
function framesOf({ stack = '', message }: Error): readonly string[] {
	const [, ...after] = message === '' ? [null, stack] : stack.split(message);
	return after
		.join(message)
		.split('\n')
		.filter((line) => /^\s+at /.test(line));
}

type ErrorFields = Pick<LogFields, 'error' | 'code' | 'service' | 'service_operation' | 'stack'>;

/**
 * The loggable parts of an error: its class, its position, and (its own, or its cause's) stable code of AWS or Node, with
 * the service and operation.
 */
export function errorFields(error: unknown): ErrorFields {
	if (!(error instanceof Error)) return { error: 'unknown' };
	const stack = framesOf(error).slice(0, FRAMES).join('\n');
	return { error: error.name, stack, ...codeFields(error.cause), ...codeFields(error) };
}

function codeFields(error: unknown): ErrorFields {
	if (!(error instanceof Error)) return {};
	return definedFields({
		code: 'code' in error ? String(error.code) : undefined,
		service: 'service' in error ? String(error.service) : undefined,
		service_operation: 'service_operation' in error ? String(error.service_operation) : undefined,
	});
}
