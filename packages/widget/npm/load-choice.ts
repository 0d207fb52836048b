// Replaces ../load-choice.ts, which fetches a file from beside its script: here the bundler finds it.

export const loadChoice = (_beside: string): Promise<typeof import('../choice.ts')> => import('../choice.ts');
