import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiDocument, withSamples } from './samples.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** The renderer's logo. Redoc would load it from its own site. */
const REMOTE_LOGO = 'https://cdn.redoc.ly/redoc/';

/** Leads from the reference to the other pages. */
const BACK =
	'<p style="margin:0;padding:10px 20px;font:16px system-ui"><a href="index.html">← All documentation</a></p>';

/** Renders docs/openapi.json with Redoc into `<folder>/api.html`: one file that needs no network. Takes about a second. */
export async function renderApiReference(folder: string): Promise<void> {
	const document: ApiDocument = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
	const [source, page] = [join(folder, 'openapi.sampled.json'), join(folder, 'api.html')];
	writeFileSync(source, JSON.stringify(withSamples(document)));
	const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
	const config = join(import.meta.dirname, 'redocly.yaml');
	const args = [redocly, 'build-docs', source, '--inlineBundle', '--config', config, '--output', page];
	const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
	await run(process.execPath, args, { cwd: root, env });
	rmSync(source);
	writeFileSync(
		page,
		readFileSync(page, 'utf8')
			.replaceAll(REMOTE_LOGO, 'data:,')
			.replace(/<body[^>]*>/, `$&${BACK}`),
	);
}
