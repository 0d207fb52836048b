import { orNull, type SettingsSection } from '../kit/section.ts';

export const noticesSection: SettingsSection = {
	actions: ['save-notices'],
	saved: ({ team_email, tells_missed_calls }) => {
		return { team_email: team_email ?? '', tells_missed_calls: tells_missed_calls ? 'yes' : '' };
	},
	entered: ({ team_email, tells_missed_calls }) => {
		return { team_email: orNull(team_email), tells_missed_calls: tells_missed_calls === 'yes' };
	},
};
