import { join } from 'node:path';
import { runInOwnFolder } from './support/own-folder.ts';

// `npm test`: runs jest with the Node.js flags that its tests need.

const FLAGS = ['--experimental-vm-modules', '--single-threaded', '--disable-warning=ExperimentalWarning'];
const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');

const options = process.argv.slice(2);
const config = options.includes('--config') ? [] : ['--config', join(import.meta.dirname, 'jest.config.js')];
const readsKeys = options.some((option) => option.startsWith('--watch'));
await runInOwnFolder([...FLAGS, JEST, ...config, ...options], { readsKeys });
