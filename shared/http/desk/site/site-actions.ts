import { WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { changeWorkspace } from '../../../use-cases/workspaces/change-workspace.ts';
import { changesShop, defineAction, perPerson, saveSection, sectionFormOf, type Uses } from '../define-action.ts';
import { savedQuery } from '../kit/form.ts';
import { isCurrent } from '../sections.ts';
import { consentSection, lookSection, siteSection, sitesRemoved } from './site-sections.ts';

/** Asks once before sites are removed. The field `removes` has those that the form has asked about. */
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

/** The look and the consent have pages of their own, which forms of a page with all three lead to, too. */
export const saveLook: ReturnType<typeof saveSection> = {
	...saveSection(lookSection),
	next: () => ({ link: `site?look&${savedQuery('look')}` }),
};

/** The consent's form has one language of several, and stays at it. */
export const saveConsent: typeof saveLook = {
	...saveSection(consentSection),
	next: ({ language = '' }) => ({
		link: `site?${new URLSearchParams({ consent: language })}&${savedQuery('consent')}`,
	}),
};
