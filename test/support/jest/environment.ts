import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';

/**
 * The environment of a test file. Node.js loads its modules (runtime.ts), so they use the timers and variables of this
 * process: fake timers replace these timers, and the variables are restored after the file.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class Environment extends TestEnvironment {
	readonly #variables = { ...process.env };

	constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
		super(...given);
		const [{ projectConfig }] = given;
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	override async teardown(): Promise<void> {
		await super.teardown();
		for (const name of Object.keys(process.env)) delete process.env[name];
		Object.assign(process.env, this.#variables);
	}
}
