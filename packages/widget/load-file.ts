import { isWebKit } from './webkit.ts';

/** A file of the build that is next to this file, and its Subresource Integrity value. */
export type BuiltFile = { readonly file: string; readonly integrity: string };

/** `preload` starts to download the file that is next to the address `beside`. `load` returns the file's module. */
export type Loader<Module> = { preload(beside: string): void; load(beside: string): Promise<Module> };
export type LoaderOf = <Module>(part: BuiltFile) => Loader<Module>;

let policy: ReturnType<typeof trustedTypes.createPolicy> | undefined;

/**
 * A module script for `address`. Null if the page's Trusted Types do not allow the script: they demand a policy, and may refuse
 * the policy that we ask for.
 */
function createScript(address: string): HTMLScriptElement | null {
	const script = document.createElement('script');
	try {
		policy ??= trustedTypes.createPolicy('call-back-widget', { createScriptURL: (url) => url });
	} catch {}
	try {
		return Object.assign(script, { type: 'module', src: policy?.createScriptURL(address) ?? address });
	} catch {
		return null;
	}
}

/**
 * Loads a part of the widget as a module. Its integrity value is checked, so that a pinned script runs no other code. A
 * browser may remember that the module at an address has failed, so each try after a failure uses a new address. `nonce` is
 * the nonce of the page's Content-Security-Policy.
 */
export function createLoader<Module>({ file, integrity }: BuiltFile, nonce = ''): Loader<Module> {
	let attempts = 0;
	let address = '';
	let isIntact: Promise<boolean> | undefined;

	function preload(beside: string): void {
		if (address) return;
		address = beside.replace(/[^/]*([?#].*)?$/, file);
		if (attempts++) address += `?${attempts}`;
		// WebKit ignores the `integrity` of a preload, but not that of a script.
		const script = isWebKit() ? createScript(address) : null;
		const tag = script ?? Object.assign(document.createElement('link'), { rel: 'modulepreload', href: address });
		Object.assign(tag, { crossOrigin: '', integrity, nonce });
		if (script)
			isIntact = new Promise((resolve) => {
				script.onload = () => resolve(true);
				script.onerror = () => resolve(false);
			});
		document.head.append(tag);
	}

	return {
		preload,
		/** Returns the module. Rejects if it cannot be loaded, or is not the file that was built. */
		async load(beside: string): Promise<Module> {
			preload(beside);
			try {
				if ((await isIntact) === false) throw new Error('missing, refused or changed');
				const module: Module = await import(address);
				return module;
			} catch (failure) {
				const sought = address;
				address = '';
				throw new Error(
					`${sought} cannot be loaded (${failure}). It must be beside the script that data-script-url names, ` +
						'and a Content-Security-Policy must allow it',
				);
			}
		},
	};
}
