/** The version of the newest release. `npm run release` writes it here and into package.json. */
export const RELEASE_VERSION = '1.1.0';
