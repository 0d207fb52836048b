/** Makes the ports of one process mortal: it dies at the n-th call of all of them, before or after the call took effect. */
export function mortalAt(step: number, after: boolean) {
	let calls = 0;
	return <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			calls += 1;
			const mine = calls;
			if (mine === step && !after) throw new Error('killed');
			if (mine > step) throw new Error('dead');
			const result = await act(...args);
			if (mine === step) throw new Error('killed');
			return result;
		};
}
