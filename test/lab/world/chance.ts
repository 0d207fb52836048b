/** Streams of random numbers in [0, 1), one for each name. All of them depend on one seed (mulberry32 over an FNV-1a hash). */
export function chance(seed: number) {
	const states = new Map<string, number>();
	const next = (name: string): number => {
		const state = ((states.get(name) ?? hash(`${seed} ${name}`)) + 0x6d2b79f5) | 0;
		states.set(name, state);
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	return {
		next,
		/** An integer from 0 to `most` - 1. */
		below: (name: string, most: number): number => Math.floor(next(name) * most),
		pick: <T>(name: string, first: T, ...more: readonly T[]): T =>
			[first, ...more][Math.floor(next(name) * (more.length + 1))] ?? first,
	};
}
export type Chance = ReturnType<typeof chance>;

function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
	return value;
}
