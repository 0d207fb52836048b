import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod/mini';

const root = resolve(import.meta.dirname, '../..');
const Locked = z.object({ version: z.string(), license: z.string(), integrity: z.string() });
const Lockfile = z.object({ packages: z.record(z.string(), z.unknown()) });
const Manifest = z.object({ name: z.string(), version: z.string() });

/** A third-party package whose code is in a bundle. */
export type Bundled = z.infer<typeof Locked> & {
	/** The folder into which `npm ci` puts the package, such as `node_modules/zod`. */
	readonly place: string;
	readonly name: string;
};

const PLACE = /^(?:.*?\/)?(node_modules\/(?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/**
 * The third-party packages whose code is in these bundles, by name, in the versions of the lockfile. Throws if the lockfile
 * does not have one of them.
 */
export function bundledPackages(metafiles: readonly Metafile[]): readonly Bundled[] {
	const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
	const sources = outputs.flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
	);
	const places = new Set(sources.flatMap((file) => PLACE.exec(file.replaceAll('\\', '/'))?.[1] ?? []));
	const { packages } = Lockfile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
	return [...places]
		.map((place) => ({ place, name: place.replace(/^.*node_modules\//, ''), ...Locked.parse(packages[place]) }))
		.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/** The name of a package in a package URL (github.com/package-url/purl-spec). */
const purlOf = ({ name, version }: z.infer<typeof Manifest>): string =>
	`pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** A list of what one of our packages contains, in the format of CycloneDX 1.6 (cyclonedx.org/docs/1.6/json). */
function sbomOf(manifest: z.infer<typeof Manifest>, bundled: readonly Bundled[]): object {
	const own = purlOf(manifest);
	const components = bundled.map((each) => ({
		type: 'library',
		'bom-ref': purlOf(each),
		name: each.name,
		version: each.version,
		purl: purlOf(each),
		licenses: [{ license: { id: each.license } }],
		externalReferences: [
			{
				type: 'distribution',
				url: `https://registry.npmjs.org/${each.name}/-/${each.name.replace(/^.*\//, '')}-${each.version}.tgz`,
				hashes: [{ alg: 'SHA-512', content: hexOf(each.integrity) }],
			},
		],
	}));
	return {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		metadata: {
			component: { type: 'library', 'bom-ref': own, purl: own, name: manifest.name, version: manifest.version },
		},
		components,
		dependencies: [{ ref: own, dependsOn: components.map(({ purl }) => purl) }],
	};
}

/** Converts a hash of the lockfile, which is `sha512-` followed by base64, to hexadecimal. */
const hexOf = (integrity: string): string => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');

/**
 * The licence texts of the packages. Each text occurs once, after the names of the packages that use the text. The texts
 * are needed because the bundles contain no comments.
 */
function licenceTexts(bundled: readonly Bundled[]): string {
	const byText = Map.groupBy(bundled, ({ place, license }) => {
		const files = globSync('{license,licence,LICENSE,LICENCE,notice,NOTICE}*', { cwd: join(root, place) }).sort();
		const texts = files.map((file) => readFileSync(join(root, place, file), 'utf8').trim());
		return texts.join('\n\n') || `${license}: the package has no text of its licence.`;
	});
	const line = '-'.repeat(80);
	return [...byText]
		.map(([text, packages]) => `${packages.map(({ name, version }) => `${name} ${version}`).join('\n')}\n\n${text}\n`)
		.join(`\n${line}\n\n`);
}

/** Writes two files about the third-party code in one of our packages: `sbom.cdx.json`, and the texts of the licences. */
export function writeThirdParty(folder: string, manifest: string, metafiles: readonly Metafile[]): void {
	const bundled = bundledPackages(metafiles);
	const own = Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
	writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(own, bundled), null, 2)}\n`);
	writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(bundled));
}
