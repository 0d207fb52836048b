import { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { changeWorkspace } from '../../use-cases/workspaces/change-workspace.ts';
import { type Audit, defineAction, perPerson, sectionFormOf, type Uses } from './define-action.ts';
import type { SettingsSection } from './kit/section.ts';

/** An action that changes the workspace, whose entry says nothing more. */
export const changesShop: Audit<unknown> = { with: ['workspace'], about: () => null };

/** Saves the settings of a section. */
export const saveSection = (section: SettingsSection) =>
	defineAction(sectionFormOf(section, WorkspaceSettings), {
		limit: perPerson,
		audit: changesShop,
		run: (settings, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs'>) =>
			changeWorkspace(workspace.id, settings, deps),
	});
