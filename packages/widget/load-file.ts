/** A file of the build beside this one, and its Subresource Integrity value. */
export type BuiltFile = { readonly file: string; readonly integrity: string };

/**
 * Fetches a part of the widget as a module and checks its integrity value, so that a pinned script runs no other code. A
 * browser may remember a failed module by its address, so a try after a failure uses a new address. `nonce`: that of the
 * page's Content-Security-Policy.
 */
export function createLoader<Module>({ file, integrity }: BuiltFile, nonce = '') {
	let attempts = 0;
	let address = '';

	function preload(beside: string): void {
		if (address) return;
		address = beside.replace(/[^/]*([?#].*)?$/, file);
		if (attempts++) address += `?${attempts}`;
		const link = document.createElement('link');
		Object.assign(link, { rel: 'modulepreload', crossOrigin: '', integrity, nonce, href: address });
		document.head.append(link);
	}

	return {
		preload,
		/** Returns the module. Rejects if it cannot be loaded, or is not the file that was built. */
		async load(beside: string): Promise<Module> {
			preload(beside);
			try {
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
