/** Maps a language tag to one of the `known` languages: `pt-BR` counts as `pt`. English if none matches. */
export function languageOf(tag: string, known: readonly string[]): string {
	const [language = ''] = tag.toLowerCase().split('-');
	return known.includes(language) ? language : 'en';
}
