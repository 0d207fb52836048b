import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { deployedTemplate, type Template } from './synthesised.ts';

const run = promisify(execFile);

/** W3005: the CDK writes a DependsOn for every role of a function, which already refers to it. */
const ACCEPTED = 'W3005';

/** Returns the findings of cfn-lint (PyPI) in a template. */
async function findings(template: Template): Promise<string> {
	const directory = mkdtempSync(join(tmpdir(), 'cfn-lint-'));
	try {
		const file = join(directory, 'template.json');
		writeFileSync(file, JSON.stringify(template));
		const { stdout } = await run('cfn-lint', ['-i', ACCEPTED, '--', file]).catch((error) => error);
		return String(stdout).replaceAll(file, 'template.json');
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
	expect(await findings(template)).toBe('');
	const Resources = { Wrong: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 901 } } };
	expect(await findings({ ...template, Resources })).toContain('E3034');
});
