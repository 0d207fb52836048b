/**
 * Kinds of data that today's code stores, sends or hands out, and that a release does not know. So this release's samples cannot
 * contain them. The next release adds samples of all of them.
 */
export const newSince: Readonly<Record<string, readonly string[]>> = {
	28086779: [
		'record failing_recipient',
		'record closed_day',
		'link to the desk: notices',
		'link to the desk: put_back',
		'cookie __Host-desk-ask',
		'cursor of list-events',
		'form with its token: desk_left',
		'form with its token: member_changed',
		'form with its token: person_renamed',
		'form with its token: notices_tested',
	],
};

/** Kinds that today's code no longer hands out, but still accepts from people who got them from a release. */
export const noLongerHandedOut: readonly string[] = ['form with its token: member_put_back'];
