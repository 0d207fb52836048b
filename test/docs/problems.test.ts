import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isProblemCode, problems } from '../../shared/contract/kernel/problem.ts';
import { problemCauses } from '../../shared/contract/kernel/problem-docs.ts';

// docs/problems.md is written by hand. The `type` of a problem links to the section for its code.

const codes = Object.keys(problems).filter(isProblemCode);
const [, ...sections] = readFileSync('docs/problems.md', 'utf8').split(/^## /m);

it('docs/problems.md has a section for each error code, and for no other', () => {
	expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual([...codes].sort());
});

it.each(codes)('docs/problems.md says when the API answers %s, with which status and title, and what to do', (code) => {
	const section = sections.find((each) => each.startsWith(`${code}\n`)) ?? '';
	const { status, title } = problems[code];
	expect(section).toContain(`**${status}: ${title}.** ${problemCauses[code]}\n`);
	expect(section).toMatch(/^What to do: [A-Z`].+\.$/m);
});
