import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../domain/workspaces/language.ts';

/**
 * Returns a function that reads `texts/<folder>/<language>.json`, each file once. The texts are in files, so that a
 * function loads only the languages that it needs. The bundler copies the files of a folder for each function whose bundle
 * contains the module `<folder>-texts.ts`.
 */
export function languageFiles<Texts>(folder: string): (language: Language) => Texts {
	const textsOfLanguage = new Map<Language, Texts>();
	return (language) => {
		const texts: Texts =
			textsOfLanguage.get(language) ??
			JSON.parse(readFileSync(join(import.meta.dirname, 'texts', folder, `${language}.json`), 'utf8'));
		textsOfLanguage.set(language, texts);
		return texts;
	};
}
