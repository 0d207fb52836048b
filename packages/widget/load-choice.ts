import type { Loader, LoaderOf } from './load-file.ts';

type Choice = typeof import('./choice.ts');
let loader: Loader<Choice> | undefined;

/** Loads the choice among several workspaces. It is in a file of its own, so that pages with one key never load it. */
export function loadChoice(beside: string, loaderOf: LoaderOf): Promise<Choice> {
	loader ??= loaderOf<Choice>(CHOICE);
	return loader.load(beside);
}
