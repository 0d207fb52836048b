// Replaces ../load-choice.ts, which loads a file that is next to its script. In the package, the bundler finds the file.

export const loadChoice = (_beside: string): Promise<typeof import('../choice.ts')> => import('../choice.ts');
