import { definedFields } from '../domain/kernel/defined-fields.ts';

/**
 * The only fields that may be logged: identifiers, codes, counts and times. There is no field for free text, on purpose.
 * Each line has the fields of one fact. docs/logs.md lists the facts.
 */
export const logFields = {
	/** The id that API Gateway gave the request. The access log and the `x-request-id` header have the same id. */
	request_id: 'string',
	/** The id that Lambda gave the invocation of a worker. Powertools for AWS Lambda uses the same field name. */
	function_request_id: 'string',
	operation: 'string',
	/** An HTTP status. */
	status: 'number',
	/** The reason as a stable code. For a response, it is the code that the client got. */
	code: 'string',
	/**
	 * Why a request was refused, more precisely than `code` says it: which limit was full, what was wrong, or why no calls
	 * are placed.
	 */
	reason: 'string',
	workspace_id: 'string',
	call_id: 'string',
	/** The status that the call has after the change that the line reports. */
	call_status: 'string',
	/** The id of one phone connection of a call. */
	leg_id: 'string',
	/** The leg's role: `agent` or `visitor`. */
	role: 'string',
	lead_id: 'string',
	event_id: 'string',
	event: 'string',
	endpoint_id: 'string',
	delivery_id: 'string',
	api_key_id: 'string',
	/** The action that a form of the desk requested, such as `member_off`. */
	form: 'string',
	/** The notice's channel: `mail` or `chat`. */
	channel: 'string',
	attempt: 'number',
	/** How many attempts the schedule allows. */
	attempts_planned: 'number',
	next_attempt_at: 'string',
	/**
	 * The state of the endpoint's circuit breaker when the attempt began. `open`: the breaker let only this attempt
	 * through, as a probe.
	 */
	breaker: 'string',
	/** A masked mail address (see `maskedAddress`). */
	address_masked: 'string',
	/** Since when all messages to this chat or mail address have failed. */
	failing_since: 'string',
	outcome: 'string',
	/**
	 * What a phone provider reported, as a query string with the provider's field names: codes, times, and ids. A short
	 * hash stands for each id.
	 */
	detail: 'string',
	service: 'string',
	/** The name of the operation of that service, such as `SendMessageBatch`. */
	service_operation: 'string',
	queue: 'string',
	count: 'number',
	duration_ms: 'number',
	/** The time between the decision to do the work and the beginning of the work. */
	waited_ms: 'number',
	/** The size of the body that was sent. */
	bytes: 'number',
	/**
	 * How long each phase of an attempt took (this field and the next three). Absent if the phase was not reached, or if an
	 * open connection was reused.
	 */
	dns_ms: 'number',
	connect_ms: 'number',
	tls_ms: 'number',
	first_byte_ms: 'number',
	/** How late the most overdue work was. */
	late_ms: 'number',
	/** The release of the tz database in the runtime. */
	zone_data: 'string',
	/** The name of an error's class. The message of an error is never logged. */
	error: 'string',
	/** Where the error happened: names of functions and positions, but no values. */
	stack: 'string',
} as const satisfies Readonly<Record<string, 'string' | 'number'>>;
type FieldTypes = { readonly string: string; readonly number: number };
export type LogFields = { readonly [F in keyof typeof logFields]?: FieldTypes[(typeof logFields)[F]] };

const FRAMES = 5;

/**
 * The lines of a stack that say where the error happened. The beginning of a stack is the error's message. The message is
 * left out, because it may contain anything.
 */
function framesOf({ stack = '', message }: Error): readonly string[] {
	const [, ...after] = message === '' ? [null, stack] : stack.split(message);
	return after
		.join(message)
		.split('\n')
		.filter((line) => /^\s+at /.test(line));
}

type ErrorFields = Pick<LogFields, 'error' | 'code' | 'service' | 'service_operation' | 'stack'>;

/**
 * What may be logged of an error: its class, where it happened, and a stable code of AWS or Node with the service and
 * operation. The code is the error's own code or the code of its cause.
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
