import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../docs');
/** The pages to which the alarms, the README and an operator's weekly tasks refer. */
const PAGES = [
	...['runbook', 'telephony', 'mail', 'deploying-safely', 'key-rotation', 'scaling', 'data-protection'],
	...['problems', 'webhooks', 'widget', 'widget-reference', 'desk', 'desk-security', 'first-week'],
] as const;

/** Replaces paths and commands that work only in a clone with paths and commands of the package. The order matters. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
	[/(?<!\.\.\/)infra\/policies\//g, 'node_modules/@call-back/cdk/policies/'],
	[/`npm run --silent ops --` in a clone and `npx @call-back\/cdk ops` in your app/g, '`npx @call-back/cdk ops`'],
	[/ In scripts, use `npm run --silent ops -- \.\.\.` to suppress npm's own lines\./g, ''],
	[
		/, give the stack another name in a file of its own, and run\s+`DEPLOYMENT_CONFIG=\S+ npm run deploy`\. Its outputs overwrite [^.]+\.json`; give it another file with `-- (--outputs-file \S+)`\./,
		', make it a second stack of your app. Keep its outputs in a file of their own (`$1`).',
	],
	[/npm run (?:--silent )?(ops|smoke|preflight) --(?= )/g, 'npx @call-back/cdk $1'],
	[/npm run (ops|smoke|preflight)\b/g, 'npx @call-back/cdk $1'],
	[/npm run bootstrap --(?= )/g, 'npx cdk bootstrap'],
	[/npm run deploy\b( --(?= ))?/g, 'npx cdk deploy --outputs-file outputs.json'],
	[/deployment\.json/g, 'outputs.json'],
	// The name of the stack in the app that the README shows.
	[/\.CallBack\.CallBack(?=\w+Name\b)/g, '.Calls.CallBack'],
	[
		/\[`deployment\.config\.json`\]\(deployment\.md#choose\)/g,
		'[the properties of `CallBack`](../README.md#properties)',
	],
	[/in deployment\.config\.json\b/g, 'in the properties of CallBack'],
	[
		/A command works on the local stack\s+\(`--state-dir`, `\.local` by default\) or, with `--outputs outputs\.json` and your AWS credentials, on a deployment\./g,
		'A command works with your AWS credentials on the deployment that `--outputs` names, by default `outputs.json`.',
	],
];

/** Remarks about what is different in the package. If a page matches a pattern, the page begins with the remark. */
const REMARKS: readonly (readonly [RegExp, string])[] = [
	[/\bnpm (run|start)\b/, '`npm run` and `npm start` need a clone of the repository: this package has no local stack.'],
	[/arn:/, 'Where a property has an ARN, give `CallBack` the resource of the CDK.'],
];

/** A page in the form in which the package contains it. A link to something that the package lacks becomes plain text. */
export function pageOfPackage(text: string): string {
	const own = ELSEWHERE.reduce((all, [from, to]) => all.replace(from, to), text);
	const linked = own.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, linkOf);
	const remarks = REMARKS.flatMap(([shows, remark]) => (shows.test(linked) ? [remark] : []));
	return remarks.length === 0 ? linked : linked.replace(/^# .+$/m, (title) => `${title}\n\n> ${remarks.join(' ')}`);
}

/** Copies the pages for operators into the package. */
export function copyPages(folder: string): void {
	mkdirSync(join(folder, 'docs'), { recursive: true });
	for (const page of PAGES)
		writeFileSync(join(folder, 'docs', `${page}.md`), pageOfPackage(readFileSync(join(docs, `${page}.md`), 'utf8')));
}

function linkOf(link: string, words: string, target: string): string {
	if (/^(https?:|#)/.test(target)) return link;
	const [file = '', anchor] = target.split('#');
	const hash = anchor === undefined ? '' : `#${anchor}`;
	if (file === '../packages/cdk/README.md' || file === '../README.md') return `[${words}](../README.md${hash})`;
	if (file.startsWith('../infra/policies/')) return `[${words}](..${file.slice('../infra'.length)})`;
	return PAGES.some((page) => `${page}.md` === file) ? link : words;
}
