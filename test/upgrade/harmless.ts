/**
 * Values of today's records that an earlier release does not know but works with, and how it treats each. A rule of
 * CONTRIBUTING.md says when one may be added here; in doubt, read the value first and write it a release later.
 */
export const harmless: ReadonlyMap<string, string> = new Map([
	[
		'record call: failure_reason may be "no_agent_callable"',
		'28086779 lists such a call without its reason; the API document says that this enumeration grows',
	],
]);
