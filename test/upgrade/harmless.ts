/**
 * Values of today's records that an earlier release does not know and yet works with, and what it does with each. A rule of
 * docs/contributing.md says when one may be added here; in doubt, read the value first and write it a release later.
 */
export const harmless: ReadonlyMap<string, string> = new Map([
	[
		'record call: failure_reason may be "no_agent_callable"',
		'28086779 lists such a call without its reason; the API document says that this enumeration grows',
	],
]);

/** How today's code differs from a release on purpose, for a step of its samples; an ADR says why. */
export const decided: readonly { readonly step: string; readonly differs: RegExp }[] = [
	// An address that is entered on the desk gets messages once its mailbox has agreed (ADR 60).
	{
		step: 'an open form is sent: notices',
		differs: /^\{"effect":"mail","to":"all@shop.example"\} is not of the release$/,
	},
	{
		step: 'ten minutes pass',
		differs: /^\{"effect":"mail","to":"(all|team)@shop.example"\} is (missing|not of the release)$/,
	},
	{ step: 'ten minutes pass', differs: /^what left the service.to is "team@shop.example", not "all@shop.example"$/ },
	{ step: 'an operator shows a workspace (at the end)', differs: /^body.team_email is "team@shop.example", not / },
];
