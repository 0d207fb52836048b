import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import packed from '../../../node_modules/@sparticuz/chromium/package.json' with { type: 'json' };
import { installedBrowser } from './installed.ts';

const root = resolve(import.meta.dirname, '../../..');
/** Below node_modules, so that `npm ci` removes it. */
const UNPACKED = join(root, 'node_modules/.cache', `chromium-${packed.version}`);
/** The packed fonts, and those of the system. The package's own file names directories of AWS Lambda. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${UNPACKED}/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
</fontconfig>
`;
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

/** Unpacks the browser that `npm ci` has installed, with the libraries that a system may lack. Takes seconds, once. */
async function unpack(): Promise<void> {
	const draft = `${UNPACKED}.${process.pid}`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { recursive: true });
	try {
		// The package unpacks its libraries only where it believes to be in AWS Lambda.
		const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
		await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], { cwd: root, env });
		writeFileSync(join(draft, 'fonts.conf'), FONTS);
		if (!existsSync(UNPACKED)) renameSync(draft, UNPACKED);
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

type Program = { readonly executablePath: string; readonly env: Record<string, string | undefined> };

async function program(): Promise<Program> {
	const executablePath = installedBrowser();
	if (executablePath !== null) return { executablePath, env: process.env };
	if (!existsSync(UNPACKED)) await unpack();
	return {
		executablePath: join(UNPACKED, 'chromium'),
		env: {
			...process.env,
			LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'),
			FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
		},
	};
}

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	return chromium.launch({
		...(await program()),
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		// Pages live for seconds, so V8's optimising compiler costs more than it saves.
		args: ['--no-sandbox', '--js-flags=--no-opt'],
	});
}
