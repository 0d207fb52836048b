/**
 * Values in today's records that an earlier release does not know but can handle, and what it does with each. CONTRIBUTING.md has
 * the rule for additions. In doubt, do not add a value: let one release read it, and the next one write it.
 */
export const harmless: ReadonlyMap<string, string> = new Map([
	[
		'record call: failure_reason may be "no_agent_callable"',
		'28086779 lists such a call without its reason; the API document says that this enumeration grows',
	],
]);
