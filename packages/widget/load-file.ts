/** A file of the build beside this one, and its Subresource Integrity value. */
export type BuiltFile = { readonly file: string; readonly integrity: string };

/**
 * Fetches a part of the widget as a module, held to its integrity value: a script that a page has pinned runs nothing else. A
 * browser may remember a failed module by its address, so each try after a failure has an address of its own.
 */
export function createLoader<Module>({ file, integrity }: BuiltFile, beside: URL | string) {
	let attempts = 0;
	let address = '';

	function preload(): void {
		if (address) return;
		const url = new URL(file, beside);
		if (attempts++) url.search = `${attempts}`;
		address = url.href;
		const link = document.createElement('link');
		Object.assign(link, { rel: 'modulepreload', crossOrigin: '', integrity, href: address });
		document.head.append(link);
	}

	return {
		preload,
		/** Returns the module. Rejects if it cannot be loaded, or is not the file that was built. */
		async load(): Promise<Module> {
			preload();
			try {
				const module: Module = await import(address);
				return module;
			} catch (failure) {
				address = '';
				throw failure;
			}
		},
	};
}
