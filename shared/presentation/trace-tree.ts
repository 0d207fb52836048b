import type { Span, Trace } from '../domain/trace/span.ts';

/**
 * A trace as lines of text, one line for each span. A line says when the span began (counted from the first span), how long
 * it took, and what it was. A span is indented below its parent.
 */
export function treeLines({ root }: Trace): readonly string[] {
	return linesOf(root, Date.parse(root.started_at), 0);
}

function linesOf(span: Span, startMs: number, depth: number): readonly string[] {
	const offset = `+${secondsBetween(startMs, span.started_at)}`;
	const length = span.ended_at === null ? 'goes on' : secondsBetween(Date.parse(span.started_at), span.ended_at);
	const line = `${offset.padStart(11)} ${length.padStart(10)}  ${'  '.repeat(depth)}${sentence(span)}`;
	return [line, ...span.children.flatMap((child) => linesOf(child, startMs, depth + 1))];
}

const secondsBetween = (fromMs: number, to: string): string => `${((Date.parse(to) - fromMs) / 1000).toFixed(3)} s`;

function sentence({ name, failure, attributes, events, started_at }: Span): string {
	const details = Object.entries(attributes).map(([key, value]) => `${key.slice(key.indexOf('.') + 1)} ${value}`);
	const moments = events.map(({ at, name: what }) => `${what} +${secondsBetween(Date.parse(started_at), at)}`);
	const more = [...(failure === null ? [] : [failure.toUpperCase()]), ...details, ...moments];
	return more.length === 0 ? name : `${name}: ${more.join(', ')}`;
}
