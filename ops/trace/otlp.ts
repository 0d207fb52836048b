import manifest from '../../package.json' with { type: 'json' };
import type { Span, SpanAttributes, Trace } from '../../shared/domain/trace/span.ts';

// OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Ids are hexadecimal, and times are decimal
// numbers as texts.

const KINDS = { internal: 1, client: 3 } as const satisfies Record<Span['kind'], number>;
const STATUS_ERROR = 2;

const nanoseconds = (at: string): string => `${BigInt(Date.parse(at)) * 1_000_000n}`;

function anyValue(value: string | number | boolean) {
	if (typeof value === 'string') return { stringValue: value };
	if (typeof value === 'boolean') return { boolValue: value };
	return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
}

const attributesOf = (attributes: SpanAttributes) =>
	Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function spansOf(trace: Trace, span: Span, parentSpanId: string, now: string): readonly object[] {
	const { started_at, ended_at, failure, attributes, events, children } = span;
	const own = {
		traceId: trace.id,
		spanId: span.id,
		parentSpanId,
		name: span.name,
		kind: KINDS[span.kind],
		startTimeUnixNano: nanoseconds(started_at),
		// OTLP requires an end. If a span has not ended, its end is the current time, and an attribute says that it has not
		// ended.
		endTimeUnixNano: nanoseconds(ended_at ?? now),
		attributes: attributesOf({ ...attributes, ...(ended_at === null && { in_progress: true }) }),
		events: events.map(({ at, name }) => ({ timeUnixNano: nanoseconds(at), name })),
		links:
			parentSpanId === '' ? trace.links.map(({ trace_id, span_id }) => ({ traceId: trace_id, spanId: span_id })) : [],
		...(failure !== null && { status: { code: STATUS_ERROR, message: failure } }),
	};
	return [own, ...children.flatMap((child) => spansOf(trace, child, span.id, now))];
}

/** The body of one export: a request to the trace service of the protocol. */
export function exportRequest(traces: readonly Trace[], now: string): string {
	const resource = { attributes: attributesOf({ 'service.name': 'call-back', 'service.version': manifest.version }) };
	const spans = traces.flatMap((trace) => spansOf(trace, trace.root, '', now));
	return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'call-back' }, spans }] }] });
}
