import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { deployedTemplate, type Template } from './synthesised.ts';

const run = promisify(execFile);

/** W3005 is accepted: the CDK writes a DependsOn for every function's role, although the function already refers to the role. */
const ACCEPTED = 'W3005';

/**
 * The findings of cfn-lint (PyPI) in each of these templates. All templates are checked in one run, because starting cfn-lint
 * takes seconds.
 */
async function findings<Name extends string>(
	templates: Readonly<Record<Name, Template>>,
): Promise<Record<Name, string>> {
	const directory = mkdtempSync(join(tmpdir(), 'cfn-lint-'));
	const fileOf = (name: string) => join(directory, `${name}.json`);
	const names = Object.keys(templates) as Name[];
	try {
		for (const name of names) writeFileSync(fileOf(name), JSON.stringify(templates[name]));
		const args = ['-i', ACCEPTED, '--format', 'json', '--', ...names.map(fileOf)];
		const { stdout } = await run('cfn-lint', args).catch((error) => error);
		const found: { Filename: string; Rule: { Id: string }; Message: string; Location: { Path: string[] } }[] =
			JSON.parse(stdout);
		const of = (name: Name) => found.filter(({ Filename }) => Filename === fileOf(name));
		const linesOf = (name: Name) =>
			of(name).map(({ Rule, Message, Location }) => `${Rule.Id} ${Location.Path.join('/')}: ${Message}\n`);
		return Object.fromEntries(names.map((name) => [name, linesOf(name).join('')])) as Record<Name, string>;
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

const isInstalled = await run('cfn-lint', ['--version']).then(
	() => true,
	() => false,
);
if (!isInstalled) process.stderr.write('skipped: cfn-lint\n');
const ifInstalled = isInstalled ? it : it.skip;

ifInstalled('cfn-lint finds nothing in the template, and would say so if there were something', async () => {
	const template = await deployedTemplate();
	const Resources = { Wrong: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 901 } } };
	const found = await findings({ ours: template, wrong: { ...template, Resources } });
	expect(found.ours).toBe('');
	expect(found.wrong).toContain('E3034');
});
