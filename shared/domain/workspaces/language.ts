export const languages = ['en', 'de', 'es', 'fr', 'ar', 'it', 'nl', 'pt', 'pl', 'tr'] as const;
export type Language = (typeof languages)[number];

/** A team's language and time zone, as every time that it reads is written. `region`: whose clock and order of dates; absent: the language's. */
export type TeamLocale = { readonly language: Language; readonly time_zone: string; readonly region?: string };

/** Maps a language tag (BCP 47) to a supported language: `de-AT` counts as `de`. */
export function knownLanguage(tag: string): Language | undefined {
	const [primary] = tag
		.trim()
		.toLowerCase()
		.split(/[^a-z]/);
	return languages.find((language) => language === primary);
}

/** The likely language of a region (CLDR's likely subtags), if supported; otherwise English. */
export function languageOfRegion(region: string): Language {
	return knownLanguage(new Intl.Locale(`und-${region}`).maximize().language) ?? 'en';
}

export const localeOf = ({ language, time_zone, region }: Required<TeamLocale>): TeamLocale => ({
	language,
	time_zone,
	region,
});
