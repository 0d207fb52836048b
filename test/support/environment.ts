import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { IMPORT_ONCE } from './import-once.ts';

/**
 * jest's environment for a test file, with two differences that spare the processor. Its global object is an ordinary one:
 * jest's is a proxy, which V8 asks at each use of a global such as JSON or Date, and simulations took a quarter longer. And
 * there is a way out of it, because jest loads the modules of each test file anew, without V8's code cache.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class Environment extends TestEnvironment {
	constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
		const { createContext } = vm;
		// jest's constructor takes no context, so for its duration this makes the one that it creates.
		vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
		try {
			super(...given);
		} finally {
			vm.createContext = createContext;
		}
	}

	override async setup(): Promise<void> {
		await super.setup();
		Reflect.set(this.global, IMPORT_ONCE, (specifier: string): Promise<unknown> => import(specifier));
	}
}
