import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

// The files that editors, version managers and repository hosts read must agree with package.json and the configurations.

const read = (file: string): string => readFileSync(file, 'utf8');

it('.nvmrc names the Node.js that npm ci installs', () => {
	const { devDependencies } = JSON.parse(read('package.json'));
	expect(read('.nvmrc').trim()).toBe(devDependencies.node.split('.')[0]);
});

it('the workflow of GitHub runs .ci/run, with the whole history and no right to write', () => {
	const workflow = read('.github/workflows/ci.yaml');
	const commands = [...workflow.matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command);
	expect(commands).toEqual(['.ci/run']);
	expect(workflow).toContain('fetch-depth: 0');
	expect(workflow).toMatch(/^permissions:\n {2}contents: read$/m);
	expect(workflow).toContain('node-version-file: .nvmrc');
});

it('.editorconfig indents as npm and Biome do', () => {
	const spaces = /^\[\{(.+)\}\]\nindent_style = space$/m.exec(read('.editorconfig'))?.[1]?.split(',') ?? [];
	expect(spaces).toContain('package.json');
	const ofRoot = spaces.flatMap((pattern) => globSync(pattern));
	expect(ofRoot).toContain('docs/openapi.json');
	expect(ofRoot.filter((file) => /^\t/m.test(read(file)))).toEqual([]);
	const withTabs = ['biome.json', 'tsconfig.json', ...globSync('packages/*/package.json')];
	expect(withTabs.filter((file) => /^ /m.test(read(file)))).toEqual([]);
});
