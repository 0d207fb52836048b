/** Lets the widget wait longer than 2 s for answers: a machine that is busy with other tests is no workspace that is silent. */
export const PATIENT = `(() => {
	const { setTimeout: timer } = globalThis;
	globalThis.setTimeout = (work, ms, ...given) => timer(work, ms === 2000 ? 6000 : ms, ...given);
})()`;
