// Replaces ../load-panel.ts, which fetches a file from beside its script: here the bundler finds the panel.

export const loadPanel = (_beside: string): Promise<typeof import('../panel.ts')> => import('../panel.ts');
/** The bundler decides when to fetch the panel. */
export function preloadPanel(_beside: string): void {}
