/**
 * Things that today's code stores, sends or hands out and a release did not, so its samples cannot have them. The next
 * release keeps samples of all of them.
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
		'form with its token: notices_tested',
		'form with its token: notices_tested',
	],
};

/** Things that today's code accepts from those who got them from a release, but no longer hands out. */
export const noLongerHandedOut: readonly string[] = ['form with its token: member_put_back'];
