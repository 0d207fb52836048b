import { createHash } from 'node:crypto';
import type { Workspace } from '../workspaces/workspace.ts';

/** The parts of a workspace that a form of the desk shows and changes as a whole. */
const SECTIONS = {
	hours: ({ business_hours }: Workspace) => business_hours,
	team: ({ team }: Workspace) => team.map(({ name, phone_masked }) => [name, phone_masked]),
	ringing: ({ ring_strategy, ring_order }: Workspace) => [ring_strategy, ring_order],
	site: ({ name, origins, language }: Workspace) => [name, origins, language],
	consent: ({ consent_texts, privacy_links }: Workspace) => [consent_texts, privacy_links ?? {}],
	notices: ({ team_email, tells_missed_calls }: Workspace) => [team_email, tells_missed_calls ?? true],
} as const;
export type Section = keyof typeof SECTIONS;

/** A stored record has its fields in any order. */
const inOrder = (_: string, value: unknown): unknown =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
		: value;

/**
 * Stands in a form for what the section was when the form was shown. If another person has changed the section meanwhile,
 * the current one differs, and nothing is overwritten; changes of other sections do not matter.
 */
export function sectionSeen(section: Section, workspace: Workspace): string {
	const text = JSON.stringify(SECTIONS[section](workspace) ?? null, inOrder);
	return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
