const { createRequire, registerHooks } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

// jest's own runtime loads every module again for each test file, in a new context, which takes half of a run's processor time.
// With this runtime, Node.js loads the modules. Each worker evaluates a module once, from the compile cache. The worker's test
// files share the module, as the requests to one Lambda instance do.

const CIRCUS = `${dirname(require.resolve('jest-circus/package.json', { paths: [require.resolve('jest')] }))}/build/`;
const GLOBALS = pathToFileURL(join(__dirname, 'globals.js')).href;

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

const load = createRequire(__filename);
const { default: OwnModules } = createRequire(CIRCUS)('jest-runtime');

/**
 * Loads the test framework anew for each file, because the framework keeps the file's describe blocks and hooks in its modules
 * and in a global.
 */
function newFramework(path) {
	for (const loaded of Object.keys(load.cache)) if (loaded.startsWith(CIRCUS)) delete load.cache[loaded];
	delete globalThis[Symbol.for('EVENT_HANDLERS')];
	return load(path);
}

/**
 * How often jest has loaded each file. It loads a setup file for each test file, and in a mutation run a test file for each mutant.
 */
const loads = new Map();

/** Node.js evaluates a module once for each URL, so a file that is loaded again gets a URL of its own. */
function urlOf(path) {
	const before = loads.get(path) ?? 0;
	loads.set(path, before + 1);
	return `${pathToFileURL(path).href}${before === 0 ? '' : `?${before}`}`;
}

/** The methods that jest's runner and framework call on a runtime. Module mocks and coverage are missing: no test uses them. */
class SharedModules {
	constructor(environment) {
		this.environment = environment;
		this.environmentVariables = { ...process.env };
		this.exit = process.exit;
		this.folder = process.cwd();
	}
	requireInternalModule(path) {
		return newFramework(path);
	}
	requireModule(path) {
		return load(path);
	}
	unstable_shouldLoadAsEsm() {
		return true;
	}
	unstable_importModule(path) {
		return import(urlOf(path));
	}
	setGlobalsForRuntime(globals) {
		globalThis[Symbol.for('globals of the test file')] = { ...globals, jest: this.environment.mocks };
	}
	enterTestCode() {}
	leaveTestCode() {}
	getSourceMaps() {
		return new Map();
	}
	getAllCoverageInfoCopy() {
		return undefined;
	}
	/** Restores the process for the next test file. */
	teardown() {
		process.env = this.environmentVariables;
		process.exit = this.exit;
		process.chdir(this.folder);
	}
}

/**
 * Test files whose first comment is `@jest-environment node` get jest's own runtime with separate modules. jest calls this
 * function with `new`.
 */
function Runtime(config, environment, ...more) {
	const isShared = environment.getVmContext() === null;
	return isShared ? new SharedModules(environment) : new OwnModules(config, environment, ...more);
}
module.exports = { __esModule: true, default: Runtime };
