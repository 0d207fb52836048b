import type { Language } from '../../../domain/workspaces/language.ts';
import type { Workspace } from '../../../domain/workspaces/workspace.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { ActionName } from '../actions.ts';

/** A part of a workspace that forms show and change as a whole. */
export type Section = {
	/** The actions that change it. */
	readonly actions: readonly ActionName[];
	/** The actions among them that overwrite nothing, so they may follow a change by another person. */
	readonly undoes?: readonly ActionName[];
	/** The fields of the form as they are saved. `language`: for a section with a form for each language. */
	readonly saved: (workspace: Workspace, language?: Language) => Fields;
	/** The saved fields as the form shows them, if that depends on more than the release before knows; absent: as they are. */
	readonly shown?: (saved: Fields, workspace: Workspace) => Fields;
};
/** A section whose form has all of its settings. */
export type SettingsSection = Section & {
	/**
	 * The entered settings, for the schema that operators' commands use, too. What is clear has the schema's form; the rest
	 * stays as it was typed.
	 */
	readonly entered: (fields: Fields, workspace: Workspace) => object;
};

/** The entries of a typed list, each once: on lines of their own, or with commas between them. */
export const entriesOf = (text = '', read = (entry: string) => entry): readonly string[] => {
	const entries = text.split(/[\r\n,;]+/).map((entry) => entry.trim());
	return [...new Set(entries.filter((entry) => entry !== '').map(read))];
};
export const orNull = (text = ''): string | null => text.trim() || null;
