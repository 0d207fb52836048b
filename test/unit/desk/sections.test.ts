import { expect, it } from '@jest/globals';
import { type ActionName, actionNames } from '../../../shared/http/desk/actions.ts';
import { sectionOf } from '../../../shared/http/desk/sections.ts';
import { shopActions } from '../../../shared/http/desk/shop-actions.ts';

/** These actions write the workspace, but nothing that another person's open page shows as a form to save as a whole. */
const OVERWRITE_NOTHING: readonly ActionName[] = [
	// The later press says until when there are no calls.
	'pause-calls',
	'resume-calls',
	// Each changes the access of one person.
	'invite-person',
	'rename-person',
	'remove-person',
	'leave-desk',
	'end-sessions',
	// Counts a test call. Its request names the member by id.
	'place-test-call',
];

it('each action that writes the workspace belongs to a section, so that an old form overwrites no newer change', () => {
	const writers = Object.entries(shopActions).filter(([, { entry_with }]) => entry_with?.includes('workspace'));
	const names = new Set(writers.map(([name]) => name));
	const withoutSection = actionNames.filter((name) => names.has(name) && sectionOf(name) === undefined);
	expect(withoutSection.toSorted()).toEqual(OVERWRITE_NOTHING.toSorted());
});
