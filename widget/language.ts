/** The language of a tag among those that are `known`, of which `pt-BR` counts as `pt`; English where it is none of them. */
export function languageOf(tag: string, known: readonly string[]): string {
	const [language = ''] = tag.toLowerCase().split('-');
	return known.includes(language) ? language : 'en';
}
