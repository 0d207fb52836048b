/**
 * Lets the widget wait longer than 2 s for answers, because a machine that is busy with other tests does not mean a silent
 * workspace.
 */
export const PATIENT = `(() => {
	const { setTimeout: timer } = globalThis;
	globalThis.setTimeout = (work, ms, ...given) => timer(work, ms === 2000 ? 6000 : ms, ...given);
})()`;
