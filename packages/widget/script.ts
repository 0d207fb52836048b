const own = document.currentScript;

/**
 * The script tag with the attributes of the snippet. A script does not know its own tag if it is a module, was imported, or runs
 * as text in another script. Then the result is the script tag on the page that has a key. Null if there is no such tag, for
 * example because a bundler has put the script elsewhere.
 */
export const script: Element | null = own?.hasAttribute('data-workspace-key')
	? own
	: document.querySelector('script[data-workspace-key]');

const addressOf = (tag: Element | null): string => (tag instanceof HTMLScriptElement && tag.src) || '';

/** The address of the script. The other files are next to it, and by default the API is on the same host. */
export const scriptUrl =
	addressOf(own) || addressOf(script) || (/https?:[^?#\s]+\//.exec(Error().stack ?? '')?.[0] ?? document.baseURI);

/** The nonce with which the script may load its other files, if the Content-Security-Policy uses nonces. */
export const nonce = (own ?? document.querySelector<HTMLScriptElement>('script[nonce]'))?.nonce;
