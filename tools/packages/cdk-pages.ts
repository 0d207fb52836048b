import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../docs');
/** What the alarms, the README and an operator's week refer to. */
const PAGES = [
	...['runbook', 'telephony', 'mail', 'deploying-safely', 'key-rotation', 'scaling', 'data-protection'],
	...['problems', 'webhooks', 'widget', 'desk', 'first-week'],
] as const;

/** Where the package has what a clone has elsewhere, and how its programs are started. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
	[/(?<!\.\.\/)infra\/policies\//g, 'node_modules/@call-back/cdk/policies/'],
	[/npm run (?:--silent )?(ops|smoke|preflight) --(?= )/g, 'npx @call-back/cdk $1'],
	[/npm run (ops|smoke|preflight)\b/g, 'npx @call-back/cdk $1'],
];

/** Copies the pages for operators into the package. A link to what the package has not becomes plain words. */
export function copyPages(folder: string): void {
	mkdirSync(join(folder, 'docs'), { recursive: true });
	for (const page of PAGES) {
		const text = readFileSync(join(docs, `${page}.md`), 'utf8');
		const own = ELSEWHERE.reduce((all, [from, to]) => all.replaceAll(from, to), text);
		writeFileSync(join(folder, 'docs', `${page}.md`), own.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, linkOf));
	}
}

function linkOf(link: string, words: string, target: string): string {
	if (/^(https?:|#)/.test(target)) return link;
	const [file = '', anchor] = target.split('#');
	const hash = anchor === undefined ? '' : `#${anchor}`;
	if (file === '../packages/cdk/README.md') return `[${words}](../README.md${hash})`;
	if (file.startsWith('../infra/policies/')) return `[${words}](..${file.slice('../infra'.length)})`;
	return PAGES.some((page) => `${page}.md` === file) ? link : words;
}
