import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import packed from '../../../node_modules/@sparticuz/chromium/package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** Below node_modules, so that `npm ci` removes it. */
const UNPACKED = join(root, 'node_modules/.cache', `chromium-${packed.version}`);
/**
 * The packed font for all that it can write, so that every machine measures the same, and the system's for the rest. The
 * package's own file names directories of AWS Lambda.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${UNPACKED}/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
  <match target="pattern">
    <edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit>
  </match>
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
		await run(process.execPath, ['--input-type=module', '--eval', UNPACK], { cwd: root, env });
		if (!existsSync(UNPACKED)) renameSync(draft, UNPACKED);
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

export type BrowserProgram = {
	readonly executablePath: string;
	readonly env: Record<string, string | undefined>;
};

/**
 * The browser of the tests: the one that `npm ci` installs, so that each machine runs the same, or that of `CHROMIUM`. A browser
 * of the system is not used unasked: no run of CI has it.
 */
export async function browserProgram(): Promise<BrowserProgram> {
	const { CHROMIUM: chosen = '' } = process.env;
	if (chosen !== '') {
		const fonts = await packedFonts().catch(() => null);
		return { executablePath: chosen, env: { ...process.env, ...(fonts !== null && { FONTCONFIG_FILE: fonts }) } };
	}
	const libraries = { FONTCONFIG_FILE: await packedFonts(), LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib') };
	return { executablePath: join(UNPACKED, 'chromium'), env: { ...process.env, ...libraries } };
}

/** The file that gives each browser the same fonts: what fits in one then fits in all. */
async function packedFonts(): Promise<string> {
	if (!existsSync(UNPACKED)) await unpack();
	const fonts = join(UNPACKED, 'fonts.conf');
	// Also beside a browser that was unpacked with other fonts.
	if (!existsSync(fonts) || readFileSync(fonts, 'utf8') !== FONTS) writeFileSync(fonts, FONTS);
	return fonts;
}

/**
 * Whether browser tests can run. They cannot if there is no browser, if it is not of the Chromium family, or if it does not
 * start here.
 */
export async function hasBrowser(): Promise<boolean> {
	try {
		const { executablePath, env } = await browserProgram();
		const { stdout } = await run(executablePath, ['--version'], { env });
		return /Chrom/.test(stdout);
	} catch {
		return false;
	}
}
