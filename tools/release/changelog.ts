import type { Change } from './versions.ts';

/** The kinds of entries, in their order. */
export const SECTIONS = ['Breaking', 'Added', 'Changed', 'Fixed'] as const;

const UNRELEASED = /^## Unreleased\n(.*?)(?=^## |(?![\s\S]))/ms;

/** What is not released yet. */
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

/** Gives what is not released yet its version and day (`2026-11-29`), below an empty section for what comes next. */
export function withRelease(changelog: string, version: string, day: string): string {
	return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} - ${day}\n`);
}
