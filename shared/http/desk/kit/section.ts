import type { Language } from '../../../domain/workspaces/language.ts';
import type { Workspace } from '../../../domain/workspaces/workspace.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { ActionName } from '../actions.ts';

/** A part of a workspace. Forms show this part and change it as a whole. */
export type Section = {
	/** The actions that change this section. */
	readonly actions: readonly ActionName[];
	/**
	 * The actions that overwrite nothing. They are allowed even if another person has changed the section since the form was
	 * shown.
	 */
	readonly undoes?: readonly ActionName[];
	/**
	 * The fields of the section's form, as they are saved. `language`: the language of the form, if the section has a form
	 * for each language.
	 */
	readonly saved: (workspace: Workspace, language?: Language) => Fields;
	/**
	 * The fields as the form shows them, if the form has fields that the previous release does not know, or writes a field in
	 * another way than that release. `saved` stays as it was there, because its fingerprint must be the same in both releases.
	 * Absent: the form shows `saved`.
	 */
	readonly shown?: (saved: Fields, workspace: Workspace) => Fields;
};
/** A section whose settings are all in one form. */
export type SettingsSection = Section & {
	/**
	 * Turns the entered fields into settings, for the schema that the operators' commands use, too. Values that can be read
	 * are converted. All other values stay as they were typed, so that the schema refuses them.
	 */
	readonly entered: (fields: Fields, workspace: Workspace) => object;
};

/**
 * The entries of a list that a person has typed, without repeated entries. Each entry is on a line of its own, or separated
 * from the next by a comma or a semicolon.
 */
export const entriesOf = (text = '', read = (entry: string) => entry): readonly string[] => {
	const entries = text.split(/[\r\n,;]+/).map((entry) => entry.trim());
	return [...new Set(entries.filter((entry) => entry !== '').map(read))];
};
export const orNull = (text = ''): string | null => text.trim() || null;
