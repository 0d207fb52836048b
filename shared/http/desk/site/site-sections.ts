import { originTyped, urlTyped } from '../../../domain/access/origin.ts';
import { languages } from '../../../domain/workspaces/language.ts';
import { DEFAULT_ACCENT, lookOf } from '../../../domain/workspaces/look.ts';
import type { Workspace } from '../../../domain/workspaces/workspace.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { entriesOf, orNull, type SettingsSection } from '../kit/section.ts';

export const siteSection: SettingsSection = {
	actions: ['save-site'],
	saved: (shop) => ({ name: shop.name, origins: shop.origins.join('\n'), language: shop.language }),
	entered: ({ name, origins, language }) => ({ name, origins: entriesOf(origins, originTyped), language }),
};

/** The sites of a workspace that a form leaves out. */
export const sitesRemoved = ({ origins }: Fields, workspace: Workspace): readonly string[] =>
	workspace.origins.filter((each) => !entriesOf(origins, originTyped).includes(each));

export const lookSection: SettingsSection = {
	actions: ['save-look'],
	saved: (workspace) => {
		const { accent, greeting } = lookOf(workspace);
		return { accent: accent ?? DEFAULT_ACCENT, greeting: greeting ?? '' };
	},
	// The browser's field for a colour is never empty. So the service's own colour means that the shop has chosen no
	// colour.
	entered: ({ accent, greeting }) => {
		return { look: { accent: accent === DEFAULT_ACCENT ? null : accent, greeting: orNull(greeting) } };
	},
};

export const consentSection: SettingsSection = {
	actions: ['save-consent'],
	saved: ({ consent_texts, privacy_links, ...workspace }, language = workspace.language) => {
		const { call = '', lead = '' } = consent_texts[language] ?? {};
		// `call_back_texts` has the ids of the current texts that also allow a call back, at most one for each language.
		const covers = workspace.call_back_texts?.some((id) => id.startsWith(`${language}-call-`)) ? 'yes' : '';
		return { language, call, covers, lead, privacy_links: privacy_links[language] ?? '' };
	},
	entered: ({ language: typed, call, covers, lead, privacy_links }) => {
		const language = languages.find((each) => each === typed);
		const link = orNull(privacy_links);
		// A text is saved only for a language of the service. For any other language, the schema refuses the form.
		if (language === undefined) return { language: typed ?? '' };
		return {
			consent_texts: { [language]: { call: orNull(call), lead: orNull(lead) } },
			covers_call_back: { [language]: covers === 'yes' && orNull(call) !== null },
			privacy_links: { [language]: link && (urlTyped(link)?.href ?? link) },
		};
	},
};
