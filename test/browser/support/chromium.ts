import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell is Chromium without a desktop's parts, which took a third of the processor time of these tests. */
const SHELL = '/usr/bin/chromium-headless-shell';
const EXECUTABLE = process.env['CHROMIUM'] ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`The browser tests need Chromium: run "apt-get install -y chromium-headless-shell", or name another in CHROMIUM.`,
		);
	}
	return chromium.launch({
		executablePath: EXECUTABLE,
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		// Pages live for seconds, so V8's optimising compiler costs more than it saves.
		args: ['--no-sandbox', '--js-flags=--no-opt'],
	});
}
