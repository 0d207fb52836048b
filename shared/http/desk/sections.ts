import { createHash } from 'node:crypto';
import { knownLanguage } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Fields } from '../edge/form-fields.ts';
import { type ActionName, actionOf, type SessionForm } from './actions.ts';
import { hoursSection } from './hours/hours-section.ts';
import type { Section } from './kit/section.ts';
import { noticesSection } from './notices/notices-section.ts';
import { consentSection, lookSection, siteSection } from './site/site-sections.ts';
import { ringingSection, teamSection } from './team/team-sections.ts';

/** The sections of a workspace. A form overwrites its section only if the section is still as the page has shown it. */
export const sections: readonly Section[] = [
	hoursSection,
	teamSection,
	ringingSection,
	siteSection,
	lookSection,
	consentSection,
	noticesSection,
];

/** The action of a form. Undefined if the form names no action that we know. */
type Asked = ActionName | SessionForm | undefined;

/** The section that an action changes as a whole. Undefined if the action changes no section as a whole. */
export const sectionOf = (action: Asked): Section | undefined =>
	sections.find(({ actions }) => actions.some((each) => each === action));

/**
 * The saved fields of the section that a form overwrites. Undefined if the form has no section, or if its action overwrites
 * nothing.
 */
export function savedFields(action: Asked, fields: Fields, workspace: Workspace): Fields | undefined {
	const section = sectionOf(action);
	const overwrites = section !== undefined && !section.undoes?.some((each) => each === action);
	return overwrites ? section.saved(workspace, knownLanguage(fields['language'] ?? '')) : undefined;
}

/**
 * The saved fields as the form shows them. The fingerprint of a section is made of the fields that `savedFields` returns,
 * because the previous release makes it of those fields. It is not made of the fields that this function returns.
 */
export function shownFields(action: Asked, workspace: Workspace): Fields | undefined {
	const saved = savedFields(action, {}, workspace);
	return saved && (sectionOf(action)?.shown?.(saved, workspace) ?? saved);
}

/**
 * A fingerprint of a section, for its form. If another person changes the section while the form is open, the fingerprint no
 * longer matches, and the form saves nothing. Changes of other sections do not matter.
 */
export function fingerprint(action: Asked, fields: Fields, workspace: Workspace): string | undefined {
	const saved = savedFields(action, fields, workspace);
	return saved && createHash('sha256').update(JSON.stringify(saved)).digest('base64url').slice(0, 22);
}

/** The current fingerprint of the section that a sent form overwrites. */
export const fingerprintFor = (fields: Fields, workspace: Workspace): string | undefined =>
	fingerprint(actionOf(fields['action']), fields, workspace);

/** Whether the section is still as the form has shown it. */
export const isCurrent = (fields: Fields, workspace: Workspace): boolean =>
	fingerprintFor(fields, workspace) === fields['seen'];
