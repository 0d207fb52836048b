/**
 * Makes the widget wait longer than 2 s for a response. On a machine that is busy with other tests, a slow response does not mean
 * that the service is down.
 */
export const PATIENT = `(() => {
	const { setTimeout: timer } = globalThis;
	globalThis.setTimeout = (work, ms, ...given) => timer(work, ms === 2000 ? 6000 : ms, ...given);
})()`;
