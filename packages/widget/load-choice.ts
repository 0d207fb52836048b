import type { Loader, LoaderOf } from './load-file.ts';

type Choice = typeof import('./choice.ts');
let loader: Loader<Choice> | undefined;

/** The choice among several workspaces: a file of its own, which pages with one key never load. */
export function loadChoice(beside: string, loaderOf: LoaderOf): Promise<Choice> {
	loader ??= loaderOf<Choice>(CHOICE);
	return loader.load(beside);
}
