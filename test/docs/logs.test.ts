import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { logFields } from '../../shared/ports/log-redaction.ts';

const page = readFileSync('docs/logs.md', 'utf8');
const written = globSync(['functions/**/*.ts', 'shared/**/*.ts']).flatMap((file) =>
	[...readFileSync(file, 'utf8').matchAll(/\blog(?:\('\w+'\))?\.(?:info|warn|error)\(\s*'([^']+)'/g)].map(
		([, fact = '']) => fact,
	),
);

it('docs/logs.md lists every fact that a function logs, and no other', () => {
	const cells = [...page.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
	const listed = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, fact = '']) => fact));
	expect(listed.sort()).toEqual([...new Set(written)].sort());
	expect(listed.length).toBeGreaterThan(15);
});

it('docs/logs.md names every field of a line', () => {
	expect(Object.keys(logFields).filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});
