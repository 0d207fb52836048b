import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { soon, type suiteStage, type Visit } from './stage.ts';

// Pages for tests. They replace built-in functions of JavaScript and of the browser that the widget uses.

/** How many visits run at the same time. */
const AT_A_TIME = 6;

type Stage = ReturnType<typeof suiteStage>;

/** All names in the code of the widget's two scripts. */
function namesInBundle({ manifest, folder }: Stage): string[] {
	const { file, panel } = manifest;
	const code = [file, panel.file].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
	return [...new Set(code.match(/[A-Za-z]\w{2,}/g))];
}

/**
 * A script for the page. It returns the names in this list that are functions built into the browser. It looks at JavaScript's
 * own classes, and at those DOM classes that the widget's elements, documents and requests have.
 */
const findBuiltIns = (names: readonly string[]) => `(() => {
	const names = new Set(${JSON.stringify(names)});
	const language = [
		'Array', 'Object', 'String', 'Number', 'RegExp', 'Promise', 'Date', 'Function', 'Math', 'JSON', 'Intl',
		'Symbol', 'Map', 'Set', 'Error', 'Boolean',
	];
	const browser = [
		'EventTarget', 'Node', 'Element', 'HTMLElement', 'HTMLButtonElement', 'HTMLInputElement', 'HTMLSelectElement',
		'HTMLScriptElement', 'Document', 'DocumentFragment', 'ShadowRoot', 'CharacterData', 'Comment', 'Event',
		'CustomEvent', 'KeyboardEvent', 'CSSStyleSheet', 'CSSStyleDeclaration', 'CSSStyleRule', 'AbortController',
		'AbortSignal', 'Performance', 'PerformanceObserver', 'Storage', 'Crypto', 'Response', 'Headers',
		'CustomElementRegistry', 'DOMTokenList', 'NodeList', 'URL', 'Location',
	];
	const found = [];
	const look = (path, holder) => {
		for (const [name, { value, writable, configurable }] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
			if (names.has(name) && typeof value === 'function' && name !== 'constructor' && (writable || configurable)) found.push(path + name);
	};
	look('', globalThis);
	for (const name of [...language, ...browser]) {
		look(name + '.', globalThis[name]);
		if (globalThis[name].prototype) look(name + '.prototype.', globalThis[name].prototype);
	}
	for (const path of ['Array.prototype', 'String.prototype', 'RegExp.prototype']) found.push(path + '[Symbol.iterator]');
	return found.filter((path) => path !== 'RegExp.prototype[Symbol.iterator]');
})()`;

/** A script that runs before the page's own scripts: it makes each of these built-ins throw. */
const replaced = (paths: readonly string[]) => `if (globalThis === top) {
	const define = Object.defineProperty, Failure = TypeError;
	const wanted = ${JSON.stringify(paths)}.map((path) => {
		const [, before, name, symbol] = /^(?:(.*)\\.)?(\\w+)(\\[Symbol.iterator\\])?$/.exec(path);
		const walk = (names) => names.split('.').reduce((at, step) => at[step], globalThis);
		return symbol ? [walk(path.slice(0, -17)), Symbol.iterator, path] : [before ? walk(before) : globalThis, name, path];
	});
	for (let at = 0; at < wanted.length; at++) {
		const holder = wanted[at][0], name = wanted[at][1], path = wanted[at][2];
		const throwing = function () { throw new Failure(path + ' is replaced by the page'); };
		define(holder, name, { value: throwing, writable: true, configurable: true });
	}
}`;

/**
 * Waits until the next step is shown, or until the widget has written in the console which built-in it lacks. True if the step is
 * shown.
 */
async function reaches({ said }: Visit, shown: () => Promise<boolean>): Promise<boolean> {
	await soon(async () => said.length > 0 || (await shown()));
	return said.length === 0;
}

/**
 * Opens the panel, places a call and reloads the page. Returns the widget's lines in the console from the first step that failed.
 */
async function callBeside(visit: Visit): Promise<readonly string[]> {
	const { launcher, phone, status, said, page } = visit;
	Object.assign(visit.api.script, { status: 'ringing', visitor_phone_rings: true });
	const rings = () => status.filter({ hasText: 'Your phone' }).isVisible();
	if (!(await reaches(visit, () => launcher.isVisible()))) return said;
	await launcher.click();
	if (!(await reaches(visit, () => phone.isVisible()))) return said;
	await visit.fill();
	if (said.length > 0) return said;
	await visit.submit.click();
	if (!(await reaches(visit, rings))) return said;
	await page.reload();
	await reaches(visit, rings);
	return said;
}

/** Visits a page that replaces these built-ins. Returns the widget's lines in the console if something did not work. */
export async function beside(stage: Stage, paths: readonly string[]): Promise<readonly string[]> {
	const visit = await stage.visit({ first: replaced(paths) });
	try {
		return await callBeside(visit);
	} catch (failure) {
		return [`silent: ${failure}`];
	} finally {
		await visit.context.close();
	}
}

/** The built-ins of this browser that the widget may use, by the names in its code. */
export async function builtInsOf(stage: Stage): Promise<readonly string[]> {
	const plain = await stage.visit();
	const paths: string[] = await plain.page.evaluate(findBuiltIns(namesInBundle(stage)));
	expect(paths.length).toBeGreaterThan(80);
	return paths;
}

/**
 * Replaces these built-ins one at a time. With each one replaced, either the launcher, the panel, the call and the reload work,
 * or the console has one line that names the missing built-in. Returns how many replacements did not disturb the widget.
 */
export async function worksBesideEach(stage: Stage, paths: readonly string[]): Promise<number> {
	const lines = new Map<string, readonly string[]>();
	const waiting = [...paths];
	const visitor = async () => {
		for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
			lines.set(path, await beside(stage, [path]));
	};
	await Promise.all(Array.from({ length: AT_A_TIME }, visitor));
	// The launcher and the panel may both write the line, but only with the same words.
	const wrong = [...lines].filter(
		([path, said]) =>
			new Set(said).size > 1 || said.some((line) => !line.startsWith('call-back-widget: ') || !line.includes(path)),
	);
	expect(wrong).toEqual([]);
	return [...lines.values()].filter((said) => said.length === 0).length;
}
