import { harmless } from './harmless.ts';
import { type Shape, type Shapes, unreadable } from './shapes.ts';

/** The shape of every kind of record and message, by the kind's name. */
export const kindsOf = ({ records, messages }: Shapes): ReadonlyMap<string, Shape> =>
	new Map([
		...Object.entries(records).map(([name, shape]) => [`record ${name}`, shape] as const),
		...Object.entries(messages).map(([name, shape]) => [`message ${name}`, shape] as const),
	]);

/** Why today's code may be unable to read a kind as the release wrote it. */
export function forward(kind: string, todays: Shapes, written: Shape): readonly string[] {
	const reader = kindsOf(todays).get(kind);
	if (reader === undefined) return [`the registry has no ${kind} any more`];
	return unreadable(reader, written).map((reason) => `${kind}: of what the release wrote, ${reason}`);
}

/**
 * Why the release may be unable to read a kind as today's code writes it. The release never reads a kind that it does not know.
 */
export function back(kind: string, released: Shapes, written: Shape): readonly string[] {
	const reader = kindsOf(released).get(kind);
	if (reader === undefined) return [];
	const reasons = unreadable(reader, written).filter((reason) => !harmless.has(`${kind}: ${reason}`));
	return reasons.map((reason) => `${kind}: of what today’s code writes, ${reason}, which the release does not know`);
}

/** The reasons of `forward` and of `back`, for every kind. */
export const compared = (todays: Shapes, released: Shapes): readonly string[] => [
	...[...kindsOf(released)].flatMap(([kind, written]) => forward(kind, todays, written)),
	...[...kindsOf(todays)].flatMap(([kind, written]) => back(kind, released, written)),
];
