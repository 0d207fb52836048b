/** The version of the last release. `npm run release` sets it here and in package.json. */
export const RELEASE_VERSION = '1.0.0-rc.1';
