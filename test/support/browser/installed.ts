import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import packed from '../../../node_modules/@sparticuz/chromium/package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** The folder is inside node_modules, so that `npm ci` removes it. */
const UNPACKED = join(root, 'node_modules/.cache', `chromium-${packed.version}`);
/** The families with which our pages ask for a monospaced font. `Courier New` is what this browser uses for `monospace`. */
const MONOSPACED = ['ui-monospace', 'monospace', 'Courier New'];
/**
 * Code is drawn in DejaVu Sans Mono, which has the same widths as Menlo. Its name is put before all other names, because the
 * browser refuses a font whose name is not the first.
 */
const CODE = MONOSPACED.map(
	(family) => `  <match target="pattern">
    <test name="family"><string>${family}</string></test>
    <edit name="family" mode="prepend_first" binding="strong"><string>DejaVu Sans Mono</string></edit>
  </match>
`,
).join('');
/**
 * All characters that the packed fonts have are drawn with them, so that every machine measures the same widths. Other characters
 * use a font of the system. The package's own font configuration names directories that only AWS Lambda has.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${UNPACKED}/fonts</dir>
  <dir>${join(root, 'node_modules/@fontsource/dejavu-mono/files')}</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
  <match target="pattern">
    <edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit>
  </match>
${CODE}</fontconfig>
`;
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

/**
 * Unpacks the browser that `npm ci` installed, with the libraries that a system may lack. This happens once and takes seconds.
 */
async function unpack(): Promise<void> {
	const draft = `${UNPACKED}.${process.pid}`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { recursive: true });
	try {
		// The package unpacks the libraries only if the environment looks like AWS Lambda.
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
 * The browser of the tests. If the variable `CHROMIUM` names a program, it is that program. Otherwise, it is the browser that
 * `npm ci` installs, even if the system has one, so that all machines and CI run the same browser.
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

/** The font configuration. It gives each browser the same fonts, so that a text that fits in one browser fits in all. */
async function packedFonts(): Promise<string> {
	if (!existsSync(UNPACKED)) await unpack();
	const fonts = join(UNPACKED, 'fonts.conf');
	// The file is written again if it differs, because an earlier version may have unpacked the browser with other fonts.
	if (!existsSync(fonts) || readFileSync(fonts, 'utf8') !== FONTS) writeFileSync(fonts, FONTS);
	return fonts;
}

/** Whether browser tests can run: there is a browser, it is of the Chromium family, and it starts on this machine. */
export async function hasBrowser(): Promise<boolean> {
	try {
		const { executablePath, env } = await browserProgram();
		const { stdout } = await run(executablePath, ['--version'], { env });
		return /Chrom/.test(stdout);
	} catch {
		return false;
	}
}
