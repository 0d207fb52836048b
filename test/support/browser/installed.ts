import { existsSync } from 'node:fs';

/** The headless shell is Chromium without a desktop's parts, which took a third of the processor time of these tests. */
const SYSTEMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** `CHROMIUM`, or a browser of this system; null if there is none. */
export function installedBrowser(): string | null {
	return process.env['CHROMIUM'] ?? SYSTEMS.find((path) => existsSync(path)) ?? null;
}

/** Whether browser tests can run: the browser that `npm ci` installs is for Linux on x64. */
export const hasBrowser = (): boolean =>
	installedBrowser() !== null || (process.platform === 'linux' && process.arch === 'x64');
