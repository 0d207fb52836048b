/** Something that happened at one moment of a span. */
export type SpanEvent = { readonly at: string; readonly name: string };

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * One step of what happened to a call or a lead, with the steps that it caused. A span is derived from the records and never
 * stored. No attribute contains a phone number, a name, an address, a secret or a provider's id.
 */
export type Span = {
	/** 8 bytes in hexadecimal; see kernel/trace-context.ts. */
	readonly id: string;
	readonly name: string;
	/** `client`: a request to another party, such as a dial or a POST. `internal`: our own work. */
	readonly kind: 'client' | 'internal';
	readonly started_at: string;
	/** Null as long as the step goes on. */
	readonly ended_at: string | null;
	/** The code of the error. Null if the step succeeded or still goes on. */
	readonly failure: string | null;
	readonly attributes: SpanAttributes;
	readonly events: readonly SpanEvent[];
	readonly children: readonly Span[];
};

/** Everything that happened to one call or lead. */
export type Trace = {
	/** 16 bytes in hexadecimal: the id of the call or lead. */
	readonly id: string;
	readonly workspace_id: string;
	readonly root: Span;
	/** The lead and the earlier call that led to this call, if there are any. A lead has no links. */
	readonly links: readonly { readonly trace_id: string; readonly span_id: string }[];
	/** Sentences that say what is missing in the trace, and why. */
	readonly notes: readonly string[];
};

/** The moments that have a time, in the order of time. */
export function momentsOf(moments: Readonly<Record<string, string | null>>): readonly SpanEvent[] {
	return Object.entries(moments)
		.flatMap(([name, at]) => (at === null ? [] : [{ at, name }]))
		.sort((a, b) => a.at.localeCompare(b.at));
}

/** The spans in the order in which they began. */
export const inOrder = (spans: readonly Span[]): readonly Span[] =>
	[...spans].sort((a, b) => a.started_at.localeCompare(b.started_at) || a.id.localeCompare(b.id));
