/**
 * What today's code stores, sends or hands out and a release did not: its samples cannot have any. The next release keeps
 * samples of all of it.
 */
export const newSince: Readonly<Record<string, readonly string[]>> = {
	28086779: [
		'record failing_recipient',
		'link to the desk: notices',
		'link to the desk: put_back',
		'cookie __Host-desk-ask',
		'cursor of list-events',
		'form with its token: desk_left',
	],
};

/** What today's code takes from those who have it of a release, and hands out no more. */
export const noLongerHandedOut: readonly string[] = ['form with its token: member_put_back'];
