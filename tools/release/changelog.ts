import type { Change } from './versions.ts';

/** The kinds of entries, in the order of the changelog. */
export const SECTIONS = ['Breaking', 'Added', 'Changed', 'Fixed'] as const;

const UNRELEASED = /^## Unreleased\n(.*?)(?=^## |(?![\s\S]))/ms;

/** How many entries there are about changes that are not released yet, and their most important kind. */
export function unreleased(changelog: string): { readonly entries: number; readonly change: Change } {
	const text = UNRELEASED.exec(changelog)?.[1] ?? '';
	const has = (section: (typeof SECTIONS)[number]): boolean => text.includes(`\n### ${section}\n`);
	const greatest = (): Change => {
		if (has('Breaking')) return 'breaking';
		return has('Added') || has('Changed') ? 'addition' : 'fix';
	};
	return {
		entries: text.match(/^- /gm)?.length ?? 0,
		change: greatest(),
	};
}

/**
 * Writes the version and the day (`2026-11-29`) above the unreleased entries, and adds an empty section for the next release.
 */
export function withRelease(changelog: string, version: string, day: string): string {
	return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${day}\n`);
}
