/** Only these may be logged: identifiers, codes, counts and times. There is no free text field on purpose. */
export type LogFields = {
	readonly request_id?: string;
	readonly operation?: string;
	readonly status?: number;
	readonly code?: string;
	readonly workspace_id?: string;
	readonly call_id?: string;
	readonly leg_id?: string;
	readonly lead_id?: string;
	readonly event_id?: string;
	readonly event?: string;
	readonly endpoint_id?: string;
	readonly delivery_id?: string;
	readonly attempt?: number;
	readonly outcome?: string;
	/** Of AWS, which refused or did not answer; its own name of what it was asked for. */
	readonly service?: string;
	readonly service_operation?: string;
	readonly queue?: string;
	readonly count?: number;
	readonly duration_ms?: number;
	/** How long it had been due. */
	readonly late_ms?: number;
	/** An error's class name; never its message. */
	readonly error?: string;
	/** Where it was thrown: function names and positions, no values. */
	readonly stack?: string;
};

/** One line of JSON for each fact. */
export type Log = {
	info(fact: string, fields: LogFields): void;
	warn(fact: string, fields: LogFields): void;
	error(fact: string, fields: LogFields): void;
};

const FRAMES = 5;

/** Where it was thrown. A stack begins with the message, which may hold anything, on any number of lines. */
function framesOf({ stack = '', message }: Error): readonly string[] {
	const [, ...after] = message === '' ? [null, stack] : stack.split(message);
	return after
		.join(message)
		.split('\n')
		.filter((line) => /^\s+at /.test(line));
}

type ErrorFields = Pick<LogFields, 'error' | 'code' | 'service' | 'service_operation' | 'stack'>;

/**
 * What the log tells of an error: its class, where it was thrown, and (its own, or its cause's) a stable code of AWS or
 * Node, with the service and operation that it is about.
 */
export function errorFields(error: unknown): ErrorFields {
	if (!(error instanceof Error)) return { error: 'unknown' };
	const stack = framesOf(error).slice(0, FRAMES).join('\n');
	return { error: error.name, stack, ...codeFields(error.cause), ...codeFields(error) };
}

function codeFields(error: unknown): ErrorFields {
	if (!(error instanceof Error)) return {};
	return {
		...('code' in error && { code: String(error.code) }),
		...('service' in error && { service: String(error.service) }),
		...('service_operation' in error && { service_operation: String(error.service_operation) }),
	};
}
