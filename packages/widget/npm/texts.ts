// Replaces ../texts.ts, which loads a language that is next to its script. In the package, the bundler finds the languages.

import en from '../texts/en.json' with { type: 'json' };
import type { Texts } from '../words.ts';

const languages: { readonly [language: string]: () => Promise<{ readonly default: Texts }> } = {
	ar: () => import('../texts/ar.json', { with: { type: 'json' } }),
	de: () => import('../texts/de.json', { with: { type: 'json' } }),
	es: () => import('../texts/es.json', { with: { type: 'json' } }),
	fr: () => import('../texts/fr.json', { with: { type: 'json' } }),
	it: () => import('../texts/it.json', { with: { type: 'json' } }),
	nl: () => import('../texts/nl.json', { with: { type: 'json' } }),
	pl: () => import('../texts/pl.json', { with: { type: 'json' } }),
	pt: () => import('../texts/pt.json', { with: { type: 'json' } }),
	tr: () => import('../texts/tr.json', { with: { type: 'json' } }),
};

/** Returns the texts in a language, or in English if there are none. */
export async function loadTexts(language: string): Promise<Texts> {
	const load = languages[language];
	return load === undefined ? en : load().then((module) => module.default);
}
