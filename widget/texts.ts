import en from './texts/en.json' with { type: 'json' };
import type { Texts } from './words.ts';

/**
 * The texts of a language. English is built in, and stands in for what cannot be had; another language is fetched from
 * beside this file.
 */
export async function loadTexts(language: string): Promise<Texts> {
	if (!LANGUAGES.includes(language)) return en;
	return fetch(new URL(`widget.${VERSION}.${language}.json`, import.meta.url))
		.then((response) => response.json())
		.catch(() => en);
}
