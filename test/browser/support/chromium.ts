import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { importOnce } from '../../support/import-once.ts';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/**
 * What no test uses: the pages of the browser's own address bar and a spare process for the next site. Both start with each
 * context and take more processor time than the widget.
 */
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];
/** Chromium reads this switch once, the last time that it is given: so ours repeats what Playwright disables. */
const AS_PLAYWRIGHT = [
	...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
	...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
	...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
	...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`The browser tests need Chromium at ${EXECUTABLE}: run "apt-get install -y chromium", or name another in CHROMIUM.`,
		);
	}
	const { chromium } = await importOnce<typeof import('playwright-core')>('playwright-core');
	return chromium.launch({
		executablePath: EXECUTABLE,
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
			`--disable-features=${[...AS_PLAYWRIGHT, ...UNUSED].join(',')}`,
		],
	});
}
