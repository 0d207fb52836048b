import { scriptUrl } from './script.ts';

type PanelModule = typeof import('./panel.ts');

let attempts = 0;
let address = '';

/**
 * Fetches the panel's file, held to its integrity value: a script that a page has pinned runs nothing else. A browser may
 * remember a failed module by its address, so each try after a failure has an address of its own.
 */
export function preloadPanel(): void {
	if (address) return;
	const url = new URL(PANEL.file, scriptUrl);
	if (attempts++) url.search = `${attempts}`;
	address = url.href;
	const link = document.createElement('link');
	Object.assign(link, { rel: 'modulepreload', crossOrigin: '', integrity: PANEL.integrity, href: address });
	document.head.append(link);
}

/** The panel's code. Rejects when it cannot be had, or is not what was built. */
export async function loadPanel(): Promise<PanelModule> {
	preloadPanel();
	try {
		const loaded: PanelModule = await import(address);
		return loaded;
	} catch (failure) {
		address = '';
		throw failure;
	}
}
