// Replaces ../script.ts, which reads the address of its own script tag: a package has no script tag.

export const script = null;
export const nonce = undefined;
/** Without a `base-url` attribute, the widget calls the API on the page's own host. */
export const scriptUrl = globalThis.document?.baseURI ?? 'http://localhost';
