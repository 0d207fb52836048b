// Replaces ../load-panel.ts, which fetches files from beside its script: here the bundler finds them.

export const loadPanel = (_beside: string): Promise<typeof import('../panel.ts')> => import('../panel.ts');
/** The bundler decides when to fetch the panel. */
export function preloadPanel(_beside: string): void {}
/** See ../load-choice.ts, which is replaced, too. */
export function loaderOf(): void {}
