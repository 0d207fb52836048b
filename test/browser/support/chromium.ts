import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`The browser tests need Chromium at ${EXECUTABLE}: run "apt-get install -y chromium", or name another in CHROMIUM.`,
		);
	}
	return chromium.launch({
		executablePath: EXECUTABLE,
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
		],
	});
}
