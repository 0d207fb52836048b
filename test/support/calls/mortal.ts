/** What happens to a process at the n-th call of a port: it is killed before the call takes effect, or right after. */
export type Strike = (step: number) => 'before' | 'after' | null;

export class Killed extends Error {}

/** A port in which every call is a step at which the process may be killed. */
export function mortal<P extends object>(port: P, step: () => 'before' | 'after' | null): P {
	const entries = Object.entries(port).map(([name, method]) => {
		const struck = async (...args: unknown[]) => {
			const strike = step();
			if (strike === 'before') throw new Killed();
			const answer: unknown = await method(...args);
			if (strike === 'after') throw new Killed();
			return answer;
		};
		return [name, struck];
	});
	return Object.fromEntries(entries) as P;
}
