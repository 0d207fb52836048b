/**
 * The language of a language tag. Tags such as `pt_BR`, `de_DE.UTF-8` and codes of three letters are understood, too: `deu`
 * is `de`. Empty if the text is no tag.
 */
function primaryOf(tag: string): string {
	const [primary = ''] = tag.trim().split(/[^a-z]/i);
	try {
		return Intl.getCanonicalLocales(primary)[0] ?? '';
	} catch {
		return '';
	}
}

/** Which of the `known` languages a language tag means: `pt-BR` counts as `pt`. English if none of them matches. */
export function languageOf(tag: string, known: readonly string[]): string {
	const language = primaryOf(tag);
	return known.includes(language) ? language : 'en';
}
