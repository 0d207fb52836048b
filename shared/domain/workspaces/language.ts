import type { Workspace } from './workspace.ts';

/** The languages that the widget, the team's pages and its messages are written in. */
export const languages = ['en', 'de', 'es', 'fr', 'ar'] as const;
export type Language = (typeof languages)[number];

/** How a team reads: its language, and the time zone of its hours (null: it has set none). */
export type TeamLocale = { readonly language: Language; readonly time_zone: string | null };

/** One of ours for a language tag (BCP 47), of which `de-AT` counts as `de`. */
export function knownLanguage(tag: string): Language | undefined {
	const [primary] = tag.toLowerCase().split('-');
	return languages.find((language) => language === primary);
}

/**
 * The language that was set, else the one that most people of the region read (CLDR's likely subtags), if it is one of
 * ours; else English.
 */
export function languageOf({ language, region }: Pick<Workspace, 'language' | 'region'>): Language {
	return language ?? knownLanguage(new Intl.Locale(`und-${region}`).maximize().language) ?? 'en';
}

export function localeOf(workspace: Pick<Workspace, 'language' | 'region' | 'business_hours'>): TeamLocale {
	return { language: languageOf(workspace), time_zone: workspace.business_hours?.time_zone ?? null };
}
