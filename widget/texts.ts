import en from './texts/en.json' with { type: 'json' };

export type Texts = typeof en;
export type TextKey = Exclude<keyof Texts, 'steps'>;

/**
 * The texts for a language tag, of which `pt-BR` counts as `pt`. English is built in, and stands in for what cannot be
 * had; another language is fetched from beside the script.
 */
export async function loadTexts(tag: string, scriptUrl: URL): Promise<Texts> {
	const language = LANGUAGES.find((known) => known === tag.split('-')[0]);
	if (!language) return en;
	return fetch(new URL(`widget.${VERSION}.${language}.json`, scriptUrl))
		.then((response) => response.json())
		.catch(() => en);
}
