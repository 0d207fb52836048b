import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import type { Calls } from '../../packages/client/calling.ts';
import { callsOver } from '../../packages/client/calling.ts';
import { methodsOver } from '../../packages/client/methods.ts';
import { atRest, type State, type StateDetail } from '../../packages/widget/request/model.ts';
import { callStatuses } from '../../shared/domain/calls/call.ts';
import { installTools } from '../../tools/install.ts';

// The READMEs of the packages, which npm shows.

const readme = (name: string): string => readFileSync(join('packages', name, 'README.md'), 'utf8');
/** The names in the first cells of the tables below a heading, such as `one(id)` and `two()`. */
function firstCells(text: string, heading: string): readonly string[] {
	const [, section = ''] = text.split(`\n## ${heading}\n`);
	const [own = ''] = section.split('\n## ');
	return [...own.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
		[...cell.matchAll(/`([\w.]+)[^`]*`/g)].map(([, name = '']) => name),
	);
}

it('the README of the client lists every method, each once', () => {
	const calls: Calls = callsOver(async () => {
		throw new Error('sends nothing');
	});
	const methods = Object.entries(methodsOver(calls)).flatMap(([group, of]) =>
		Object.keys(of).map((method) => `${group}.${method}`),
	);
	expect(firstCells(readme('client'), 'Methods')).toEqual(methods);
});

describe('the README of the widget', () => {
	const own: Readonly<Record<Exclude<State, (typeof callStatuses)[number]>, true>> = {
		idle: true,
		closed: true,
		sending: true,
		lead_sent: true,
		error: true,
	};

	it('says what onState gets: each field, and each state', () => {
		const { state, id, reason } = atRest(false, null);
		const detail: Readonly<Record<keyof StateDetail, unknown>> = {
			state,
			id,
			reference: null,
			reason,
			workspace_key: null,
		};
		const members = Object.keys(detail);
		const states = [...callStatuses, ...Object.keys(own)];
		const cells = firstCells(readme('widget'), 'States');
		expect(cells.slice(0, members.length)).toEqual(members);
		expect([...cells.slice(members.length)].sort()).toEqual(states.sort());
	});

	const blockIn = (language: string): string =>
		new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme('widget'))?.[1] ?? '';
	/** Loads the module of a compiler from the packages that the package tests install; null if it cannot be installed. */
	const compiler = (name: string): Record<string, unknown> | null => {
		if (!installTools('package-linters')) {
			process.stderr.write('skipped\n');
			return null;
		}
		return createRequire(join(process.cwd(), 'tools/package-linters/package.json'))(name);
	};
	const Parsed = z.object({
		errors: z.array(z.unknown()),
		descriptor: z.object({ template: z.object({ content: z.string() }) }),
	});
	const Compiled = z.object({ errors: z.array(z.unknown()), tips: z.array(z.unknown()), code: z.string() });

	it('shows a component that Vue compiles', () => {
		const vue = compiler('@vue/compiler-sfc');
		if (vue === null) return;
		const { parse, compileScript, compileTemplate } = vue as Record<string, (...given: readonly unknown[]) => unknown>;
		const parsed = parse?.(blockIn('vue'), { filename: 'Contact.vue' });
		const { errors, descriptor } = Parsed.parse(parsed);
		expect(errors).toEqual([]);
		const { descriptor: whole } = parsed as { readonly descriptor: unknown };
		expect(JSON.stringify(compileScript?.(whole, { id: 'x' }))).toContain('defineCallBackWidget');
		const compilerOptions = { isCustomElement: (tag: string) => tag === 'call-back-widget' };
		const source = descriptor.template.content;
		const template = Compiled.parse(compileTemplate?.({ source, filename: 'Contact.vue', id: 'x', compilerOptions }));
		expect([template.errors, template.tips]).toEqual([[], []]);
		expect(template.code).toMatch(/"call-back-widget".*onCallback:state/s);
	});

	it('shows a component that Svelte compiles without a warning', () => {
		const svelte = compiler('svelte/compiler');
		if (svelte === null) return;
		const { compile } = svelte as Record<string, (...given: readonly unknown[]) => unknown>;
		const Result = z.object({
			js: z.object({ code: z.string() }),
			warnings: z.array(z.object({ message: z.string() })),
		});
		const { js, warnings } = Result.parse(compile?.(blockIn('svelte'), { generate: 'client' }));
		expect(warnings.map(({ message }) => message)).toEqual([]);
		expect(js.code).toContain('callback:state');
	});
});
