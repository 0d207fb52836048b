import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';

// Each decision has its own page in the form that docs/decisions/README.md describes, and a row in that README.

const PARTS = ['Drivers', 'Decision', 'Alternatives', 'Consequences'];
const pages = globSync('docs/decisions/0*.md')
	.sort()
	.map((path) => {
		const text = readFileSync(path, 'utf8');
		const [title = '', , status = ''] = text.split('\n');
		return { file: basename(path), text, title, status };
	});

it('each page of a decision has a number, a status with its date, and each part once, in order', () => {
	const wrong = pages.flatMap(({ file, text, title, status }) => {
		const parts = [...text.matchAll(/^\*\*(\w+)\b[^*]*\*\*/gm)].map(([, part]) => part);
		const isTitled = title.startsWith(`# ${Number(file.slice(0, 4))}. `);
		const hasStatus = /^Accepted, 20\d\d-\d\d-\d\d$/.test(status);
		return isTitled && hasStatus && parts.join() === PARTS.join()
			? []
			: [`${file}: ${title}; ${status}; ${parts.join()}`];
	});
	expect(wrong).toEqual([]);
	expect(pages.length).toBeGreaterThan(40);
});

it('the index of decisions has each page once, with its title and its date', () => {
	const rows = [
		...readFileSync('docs/decisions/README.md', 'utf8').matchAll(/^\| \[(\d+)\]\((.+?)\) \| (.+?) \|.*\| (.+?) \|$/gm),
	];
	const listed = rows.map(
		([, number = '', file = '', title = '', date = '']) => `${file}: # ${number}. ${title}, ${date}`,
	);
	const expected = pages.map(({ file, title, status }) => `${file}: ${title}, ${status.replace('Accepted, ', '')}`);
	expect(listed.sort()).toEqual(expected.sort());
});
