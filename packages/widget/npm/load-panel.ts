// Replaces ../load-panel.ts, which loads files that are next to its script. In the package, the bundler finds the files.

export const loadPanel = (_beside: string): Promise<typeof import('../panel.ts')> => import('../panel.ts');
/** Does nothing, because the bundler decides when to load the panel. */
export function preloadPanel(_beside: string): void {}
/** Does nothing: only ../load-choice.ts uses this function, and the package replaces that file, too. */
export function loaderOf(): void {}
