// Replaces ../script.ts, which reads the address of its own script tag. A package has no script tag.

export const script = null;
export const nonce = undefined;
/**
 * The address from which the default of `base-url` is derived: without that attribute, the widget calls the API on the
 * page's own host.
 */
export const scriptUrl = globalThis.document?.baseURI ?? 'http://localhost';
