/**
 * Values of today's records that an earlier release does not know and yet works with, and what it does with each. A rule of
 * CONTRIBUTING.md says when one may be added here; in doubt, read the value first and write it a release later.
 */
export const harmless: ReadonlyMap<string, string> = new Map([
	[
		'record call: failure_reason may be "no_agent_callable"',
		'28086779 lists such a call without its reason; the API document says that this enumeration grows',
	],
]);
