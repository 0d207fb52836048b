import { afterEach, describe, expect, it } from '@jest/globals';
import { browserProgram, hasBrowser } from '../support/browser/installed.ts';

const { CHROMIUM } = process.env;
afterEach(() => {
	process.env['CHROMIUM'] = CHROMIUM ?? '';
});

describe('the browser of the tests', () => {
	it('is the browser that npm ci installs, even if the system has another one', async () => {
		process.env['CHROMIUM'] = '';
		const { executablePath } = await browserProgram();
		expect(executablePath).toMatch(/node_modules\/\.cache\/chromium-[\d.]+\/chromium$/);
	});

	it('is another browser only if CHROMIUM names it', async () => {
		process.env['CHROMIUM'] = '/usr/bin/chromium';
		expect((await browserProgram()).executablePath).toBe('/usr/bin/chromium');
	});

	it.each([
		['does not exist', '/nowhere/chromium'],
		['is no program', import.meta.filename],
		['is of another kind', process.execPath],
		['is a folder', '/'],
		['fails', '/bin/false'],
	])('is missing, and browser tests are skipped, if the program that CHROMIUM names %s', async (_, program) => {
		process.env['CHROMIUM'] = program;
		expect(await hasBrowser()).toBe(false);
	});
});
