const own = document.currentScript;

/**
 * The script tag with the attributes of the snippet. A module, an imported script, and a script that another one runs from its
 * text do not know their own tag. For these, the result is a tag with a key. Null if there is none, or if a bundler has put the
 * script elsewhere.
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
