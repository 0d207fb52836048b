export const languages = ['en', 'de', 'es', 'fr', 'ar', 'it', 'nl', 'pt', 'pl', 'tr'] as const;
export type Language = (typeof languages)[number];

/**
 * The language, the time zone and the region in which times are written for a team. `region` decides about the 12-hour or
 * 24-hour clock and the order in dates. If `region` is absent, the clock and the order are as usual for the language.
 */
export type TeamLocale = { readonly language: Language; readonly time_zone: string; readonly region?: string };

/** The supported language of a language tag (BCP 47), for example `de` for `de-AT`. */
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
