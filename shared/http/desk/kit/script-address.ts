/**
 * The version of the desk's script: the first characters of its hash. It is written here, because the function that runs
 * forms shows pages, too, and would have to carry the whole script in order to hash it. A test compares both.
 */
export const SCRIPT_VERSION = 'bzA6e35dr-';

/**
 * The address of the script in a page. It names the version, because a script needs the markup of its own release: a browser
 * that has kept the script of another release loads this one.
 */
export const SCRIPT_ADDRESS = `../pages/desk.js?v=${SCRIPT_VERSION}`;
