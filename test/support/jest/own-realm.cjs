const { createRequire } = require('node:module');

const ofJest = createRequire(createRequire(require.resolve('jest')).resolve('jest-environment-node'));
const { ModernFakeTimers } = ofJest('@jest/fake-timers');
const { ModuleMocker } = ofJest('jest-mock');

/**
 * A test environment with the worker's own globals. Tests that share their modules need it, because a module uses the globals of
 * the realm that loaded it.
 */
class OwnRealm {
	constructor({ projectConfig: config }) {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		const { moduleMocker, fakeTimersModern } = this;
		/** The functions of `jest` from `@jest/globals` that our tests use. */
		this.mocks = {
			fn: moduleMocker.fn.bind(moduleMocker),
			spyOn: moduleMocker.spyOn.bind(moduleMocker),
			restoreAllMocks: () => moduleMocker.restoreAllMocks(),
			useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
			useRealTimers: () => fakeTimersModern.useRealTimers(),
			advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
		};
	}
	async setup() {
		// Turns off jest's stack formatter, which looks for a source map of every frame. Here, each file is its own source.
		// Playwright and the CDK read a stack in each of their steps, so the search would take long.
		Error.prepareStackTrace = undefined;
	}
	async teardown() {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
	}
	getVmContext() {
		return null;
	}
	exportConditions() {
		return ['node', 'node-addons'];
	}
}
module.exports = { __esModule: true, default: OwnRealm, TestEnvironment: OwnRealm };
