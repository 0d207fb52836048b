/** The script tag of this script; null if a bundler has included it elsewhere. */
export const script = document.currentScript;

/** The script's URL: its texts are beside it, and by default the API is on the same host. */
export const scriptUrl = new URL(script?.getAttribute('src') ?? '', document.baseURI);
