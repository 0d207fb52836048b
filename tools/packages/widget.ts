import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { CLONE_OPS } from '../../infra/bundle/ops-command.ts';
import { launcherTexts, widgetStyles } from '../../infra/bundle/widget.ts';
import { writeDeclarations } from './declarations.ts';
import { bundlePackage } from './package-files.ts';

const source = resolve(import.meta.dirname, '../../packages/widget');
const inPackage = (name: string) => resolve(source, 'npm', `${name}.ts`);

/** Replaces the modules that need the script tag of the widget. */
const packageModules: Plugin = {
	name: 'package-modules',
	setup({ onResolve }) {
		onResolve({ filter: /^[./]+\/(script|texts|load-panel|load-choice)\.ts$/ }, ({ path, importer }) =>
			/[/\\]npm[/\\]/.test(importer) ? null : { path: inPackage(basename(path, '.ts')) },
		);
	},
};

/** Builds the element and its wrapper for React into `folder`. */
export async function buildWidgetPackage(folder: string): Promise<void> {
	const entries = { index: inPackage('index'), react: inPackage('react') };
	await bundlePackage(folder, {
		entryPoints: entries,
		external: ['react'],
		minify: true,
		plugins: [packageModules],
		inject: [inPackage('server')],
		define: Object.fromEntries(
			Object.entries({ ...widgetStyles(), LAUNCHER_TEXTS: launcherTexts(), OPS_COMMAND: CLONE_OPS }).map(
				([name, value]) => [name, JSON.stringify(value)],
			),
		),
	});
	writeDeclarations(folder, resolve(source, 'tsconfig.json'), entries, ['react']);
}
