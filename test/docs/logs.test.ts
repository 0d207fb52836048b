import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { savedQueries } from '../../infra/log-queries.ts';
import { logFields } from '../../shared/ports/log-redaction.ts';

const page = readFileSync('docs/logs.md', 'utf8');
const written = globSync(['functions/**/*.ts', 'shared/**/*.ts']).flatMap((file) =>
	[...readFileSync(file, 'utf8').matchAll(/\blog(?:\('\w+'\))?\.(?:info|warn|error)\(\s*'([^']+)'/g)].map(
		([, fact = '']) => fact,
	),
);

it('docs/logs.md lists every fact that a function logs, and no other', () => {
	const [today = '', former = ''] = page.split('## If you filter the logs of');
	const cells = [...today.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
	const listed = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, fact = '']) => fact));
	expect(listed.sort()).toEqual([...new Set(written)].sort());
	expect(listed.length).toBeGreaterThan(15);
	const renamed = [...former.matchAll(/^\| `.+ \| `([^`]+)`/gm)].map(([, fact = '']) => fact);
	expect(renamed.length).toBeGreaterThan(5);
	expect(listed).toEqual(expect.arrayContaining(renamed));
});

it('docs/logs.md names every field of a line', () => {
	expect(Object.keys(logFields).filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});

it('docs/logs.md lists every saved query with its question and the word to replace in it', () => {
	const rows = [...page.matchAll(/^\| ([A-Z].+\?) \| `(\S+)` \| (?:`([A-Z_]+)` )?\|$/gm)].map((row) => row.slice(1));
	const saved = Object.entries(savedQueries).map(([name, { question, text }]) => {
		return [question, name, /"([A-Z_]+)"/.exec(text)?.[1]];
	});
	expect(rows).toEqual(saved);
});
