/**
 * The language of a tag, including `pt_BR`, `de_DE.UTF-8` and three letters: `deu` is `de`. Empty if the text is not a tag.
 */
function primaryOf(tag: string): string {
	const [primary = ''] = tag.trim().split(/[^a-z]/i);
	try {
		return Intl.getCanonicalLocales(primary)[0] ?? '';
	} catch {
		return '';
	}
}

/** Maps a language tag to one of the `known` languages: `pt-BR` counts as `pt`. English if none matches. */
export function languageOf(tag: string, known: readonly string[]): string {
	const language = primaryOf(tag);
	return known.includes(language) ? language : 'en';
}
