const { createRequire, registerHooks } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

// jest's own runtime loads every module once more for each test file, in a context of its own: half of the processor time of
// a run. This one lets Node.js load them: a worker evaluates each module once, from the compile cache, and its test files share
// it, as the functions of one Lambda instance do.

const CIRCUS = `${dirname(require.resolve('jest-circus/package.json', { paths: [require.resolve('jest')] }))}/build/`;
const GLOBALS = pathToFileURL(join(__dirname, 'globals.js')).href;

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

const load = createRequire(__filename);
const { default: OwnModules } = createRequire(CIRCUS)('jest-runtime');

/** A new test framework for each file: it keeps its describe blocks and hooks in its modules and in a global. */
function newFramework(path) {
	for (const loaded of Object.keys(load.cache)) if (loaded.startsWith(CIRCUS)) delete load.cache[loaded];
	delete globalThis[Symbol.for('EVENT_HANDLERS')];
	return load(path);
}

/** What jest's runner and framework ask of a runtime. Mocks of modules and coverage are not there: no test uses them. */
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
		return import(pathToFileURL(path).href);
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
	/** The next file finds the process as this one did. */
	teardown() {
		process.env = this.environmentVariables;
		process.exit = this.exit;
		process.chdir(this.folder);
	}
}

/** A file whose first comment is `@jest-environment node` gets modules of its own. jest calls it with `new`. */
function Runtime(config, environment, ...more) {
	const isShared = environment.getVmContext() === null;
	return isShared ? new SharedModules(environment) : new OwnModules(config, environment, ...more);
}
module.exports = { __esModule: true, default: Runtime };
