const { createRequire } = require('node:module');

const ofJest = createRequire(createRequire(require.resolve('jest')).resolve('jest-environment-node'));
const { ModernFakeTimers } = ofJest('@jest/fake-timers');
const { ModuleMocker } = ofJest('jest-mock');

/** The worker's own globals, for tests that share their modules: a module belongs to the realm that loaded it. */
class OwnRealm {
	constructor({ projectConfig: config }) {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		const { moduleMocker, fakeTimersModern } = this;
		/** `jest` of `@jest/globals`: what the tests use of it. */
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
		// jest's formatter maps each frame to its source, which here is the file itself. Playwright and the CDK look at a stack
		// for each thing that they do.
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
