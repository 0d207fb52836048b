import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the version is written, apart from the changelog and the list of releases. */
const PLACES: readonly (readonly [files: string, place: RegExp])[] = [
	['package.json', /(?<=^ {2}"version": ")[^"]+/gm],
	['package-lock.json', /(?<="name": "call-back-widget-service",\n\s+"version": ")[^"]+/g],
	['packages/{cdk,client,widget}/package.json', /(?<=^\t"version": ")[^"]+/gm],
	['shared/contract/openapi/version.ts', /(?<== ')[^']+/g],
	['{docs/*,packages/*/README}.md', /(?<=call-back-(?:cdk|client|widget)-)\d[^ /]*(?=\.tgz)/g],
];

const filesIn = (root: string) =>
	PLACES.flatMap(([files, place]) =>
		globSync(files, { cwd: root })
			.sort()
			.map((file) => ({ file, place, text: readFileSync(join(root, file), 'utf8') }))
			// A page that names no package contains no version.
			.filter(({ text }) => text.match(place) !== null),
	);

/** The versions that each file contains. */
export const versionsIn = (root: string): ReadonlyMap<string, readonly string[]> =>
	new Map(filesIn(root).map(({ file, place, text }) => [file, text.match(place) ?? []]));

/** The files, with `version` in each of these places. */
export const withVersion = (
	root: string,
	version: string,
): readonly { readonly file: string; readonly text: string }[] =>
	filesIn(root).map(({ file, place, text }) => ({ file, text: text.replace(place, version) }));
