const own = document.currentScript;

/**
 * The script tag with the snippet's attributes. A module, an imported script and one whose text another script runs do not
 * see their own tag. Null if there is none, or if a bundler has included the script elsewhere.
 */
export const script: Element | null = own?.hasAttribute('data-workspace-key')
	? own
	: document.querySelector('script[data-workspace-key]');

const addressOf = (tag: Element | null): string => (tag instanceof HTMLScriptElement && tag.src) || '';

/** The script's address: the other files are beside it, and by default the API is on the same host. */
export const scriptUrl =
	addressOf(own) || addressOf(script) || (/https?:[^?#\s]+\//.exec(Error().stack ?? '')?.[0] ?? document.baseURI);

/** Lets the script load its other files under a Content-Security-Policy with nonces. */
export const nonce = (own ?? document.querySelector<HTMLScriptElement>('script[nonce]'))?.nonce;
