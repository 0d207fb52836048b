/** The script tag that this runs from; null where a bundler made it part of something else. */
export const script = document.currentScript;

/** Where it came from: its texts lie beside it, and unless told otherwise the API is on the same host. */
export const scriptUrl = new URL(script?.getAttribute('src') ?? '', document.baseURI);
