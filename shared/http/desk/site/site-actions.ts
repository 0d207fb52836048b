import { WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { changeWorkspace } from '../../../use-cases/workspaces/change-workspace.ts';
import { savedQuery } from '../actions.ts';
import { changesShop, defineAction, perPerson, saveSection, sectionFormOf, type Uses } from '../define-action.ts';
import { isCurrent } from '../sections.ts';
import { consentSection, lookSection, siteSection, sitesRemoved } from './site-sections.ts';

/**
 * Saves the site's settings. If sites would be removed, the desk first asks once. When the form is sent again, the field
 * `removes` names the sites that the desk has asked about.
 */
export const saveSite = defineAction(sectionFormOf(siteSection, WorkspaceSettings), {
	limit: perPerson,
	audit: changesShop,
	run: async (settings, { workspace, fields }, deps: Uses<'sealer' | 'numbers' | 'macs'>) => {
		const removed = sitesRemoved(fields, workspace);
		const words = removed.join(' ');
		if (words === '' || words === fields['removes'] || !isCurrent(fields, workspace))
			return changeWorkspace(workspace.id, settings, deps);
		return { refused: settings.origins?.length === 0 ? 'sites_end' : 'sites_removed', words };
	},
});

/**
 * The look and the consent have pages of their own. An older page that is still open may have the forms of the site, the look
 * and the consent together. After a person has saved one of these forms on such a page, the page that has only this form
 * follows.
 */
export const saveLook: ReturnType<typeof saveSection> = {
	...saveSection(lookSection),
	next: () => ({ link: `site?look&${savedQuery('look')}` }),
};

/** The form of the consent is for one of several languages. After it was saved, the page stays at that language. */
export const saveConsent: typeof saveLook = {
	...saveSection(consentSection),
	next: ({ language = '' }) => ({
		link: `site?${new URLSearchParams({ consent: language })}&${savedQuery('consent')}`,
	}),
};
