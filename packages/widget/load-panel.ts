import { type BuiltFile, createLoader, type LoaderOf } from './load-file.ts';
import { nonce } from './script.ts';

/** Loads a part that the panel names. */
export const loaderOf: LoaderOf = <Module>(part: BuiltFile) => createLoader<Module>(part, nonce);
/** The panel's code: fetched when a visitor comes near the launcher (`preload`) or asks for it. */
export const { preload: preloadPanel, load: loadPanel } = loaderOf<typeof import('./panel.ts')>(PANEL);
