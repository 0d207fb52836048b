import { noticeChannels } from '../../../domain/notices/team-notice.ts';
import { orNull, type SettingsSection } from '../kit/section.ts';

/** The field of the form that says whether a channel gets missed calls. */
export const missedField = (channel: (typeof noticeChannels)[number]): string => `missed_${channel}`;

/**
 * The hidden field of a form that has a field for each channel. A form without this field, such as the form of a shop
 * without a chat, sends only `tells_missed_calls`, which counts for all channels in that case.
 */
export const BY_CHANNEL = { by_channel: 'yes' } as const;

export const noticesSection: SettingsSection = {
	actions: ['save-notices'],
	saved: ({ team_email, tells_missed_calls, missed_calls_to }) => {
		const missed = { tells_missed_calls: tells_missed_calls ? 'yes' : '' };
		// Include the channels only if they were chosen. Otherwise the fingerprint would differ from the fingerprint of the
		// previous release.
		const to = missed_calls_to !== undefined && { missed_calls_to: missed_calls_to.join(' ') };
		return { team_email: team_email ?? '', ...missed, ...to };
	},
	shown: (saved, { tells_missed_calls, missed_calls_to = noticeChannels }) => {
		const ticks = noticeChannels.map(
			(channel) =>
				[missedField(channel), tells_missed_calls && missed_calls_to.includes(channel) ? 'yes' : ''] as const,
		);
		return { ...saved, ...Object.fromEntries(ticks) };
	},
	entered: ({ team_email, tells_missed_calls, by_channel, ...ticks }) => {
		const all = tells_missed_calls === 'yes' ? noticeChannels : [];
		const chosen = noticeChannels.filter((channel) => ticks[missedField(channel)] === 'yes');
		const missed_calls_to = by_channel === undefined ? all : chosen;
		return { team_email: orNull(team_email), tells_missed_calls: missed_calls_to.length > 0, missed_calls_to };
	},
};
