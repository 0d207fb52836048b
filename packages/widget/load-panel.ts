import { createLoader } from './load-file.ts';
import { nonce } from './script.ts';

/** The panel's code: fetched when a visitor comes near the launcher (`preload`) or asks for it. */
export const { preload: preloadPanel, load: loadPanel } = createLoader<typeof import('./panel.ts')>(PANEL, nonce);
