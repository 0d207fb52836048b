// Stands in for widget/proof/load-solver.ts, which fetches a file from beside its script: here the bundler finds it.

/** The function that solves a challenge. */
export const loadSolver = (): Promise<typeof import('../../widget/proof/solve.ts')> =>
	import('../../widget/proof/solve.ts');
