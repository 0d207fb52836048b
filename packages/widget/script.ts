// Stands in for widget/script.ts, which reads the address of its own script tag: a package has none.

export const script = null;
/** Without a `base-url` attribute the API is expected on the page's own host. */
export const scriptUrl = new URL(globalThis.document?.baseURI ?? 'http://localhost');
