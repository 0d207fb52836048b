import { configureGlobal } from '../../node_modules/fast-check/lib/fast-check.js';
import { SEED } from './seed.ts';

// What `import 'fast-check'` means in a test (jest.config.js): fast-check itself, under the seed of the run.

configureGlobal({ seed: SEED });

// biome-ignore lint/performance/noReExportAll: it stands for the whole package
// biome-ignore lint/performance/noBarrelFile: it stands for the whole package
export * from '../../node_modules/fast-check/lib/fast-check.js';
export { default } from '../../node_modules/fast-check/lib/fast-check.js';
