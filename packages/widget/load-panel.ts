import { type BuiltFile, createLoader, type LoaderOf } from './load-file.ts';
import { nonce } from './script.ts';

/** Returns a loader for a part whose file and integrity value the panel contains. */
export const loaderOf: LoaderOf = <Module>(part: BuiltFile) => createLoader<Module>(part, nonce);
/** Loads the code of the panel. It is loaded when a visitor comes near the launcher (`preload`), or opens the panel. */
export const { preload: preloadPanel, load: loadPanel } = loaderOf<typeof import('./panel.ts')>(PANEL);
