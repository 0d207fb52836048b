import { TestEnvironment } from 'jest-environment-node';
import { IMPORT_ONCE } from './import-once.ts';

/**
 * jest's environment, and a way out of it: jest loads the modules of each test file anew and without V8's code cache, half
 * a second of a processor for the stack's.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class Environment extends TestEnvironment {
	override async setup(): Promise<void> {
		await super.setup();
		Reflect.set(this.global, IMPORT_ONCE, (specifier: string): Promise<unknown> => import(specifier));
	}
}
