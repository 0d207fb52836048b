import type { Section, SettingsSection } from '../kit/section.ts';

/**
 * The members and their order. Once another person has changed them, the forms that change the team are refused, except the
 * forms in `undoes`.
 */
export const teamSection: Section = {
	actions: [
		'add-member',
		'edit-member',
		'remove-member',
		'put-member-back',
		'move-member-up',
		'switch-member-off',
		'switch-member-on',
	],
	undoes: ['put-member-back'],
	saved: ({ team }) =>
		Object.fromEntries(team.map(({ id, name = '', phone_masked }) => [id, `${name} ${phone_masked}`])),
};

export const ringingSection: SettingsSection = {
	actions: ['save-ringing'],
	saved: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
	entered: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
};
