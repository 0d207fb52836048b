import { execFile } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import type { Template } from '../../local/template.ts';
import { testStack } from '../support/stack/stack.ts';

/** `npm run smoke` on a stack of its own, to its end. */
async function smoke(alter: (template: Template) => Template = (template) => template) {
	const stack = await testStack({}, { alter });
	try {
		const args = ['ops/smoke/main.ts', '--state-dir', stack.state_dir];
		return await new Promise<{ readonly code: unknown; readonly out: string; readonly said: string }>((resolve) => {
			execFile(process.execPath, args, (error, out, said) => resolve({ code: error?.code ?? 0, out, said }));
		});
	} finally {
		await stack.stop();
	}
}

/** Without the permission to read calls in the role of `get-call`. */
function withoutReading(template: Template): Template {
	const roles = Object.entries(template.Resources).map(([id, resource]) => {
		if (!/^Apigetcall[A-Z]/.test(id) || resource.Type !== 'AWS::IAM::Role') return [id, resource] as const;
		return [id, JSON.parse(JSON.stringify(resource).replaceAll('CALL#*', 'NOTHING#*'))] as const;
	});
	return { ...template, Resources: Object.fromEntries(roles) };
}

describe('the smoke test of an operator', () => {
	it('finds nothing on a stack that works', async () => {
		const { code, out, said } = await smoke();
		expect([code, said]).toEqual([0, '']);
		expect(out).not.toMatch(/FAILED/);
		for (const what of ['the sweep runs', 'a simulated call, and its verified webhooks', 'a call that is cancelled']) {
			expect(out).toContain(`ok      ${what}`);
		}
	}, 240_000);

	it('names the function whose role lacks a permission, and ends with 1', async () => {
		const { code, said } = await smoke(withoutReading);
		expect([code, said]).toEqual([1, 'Failed: get-call. See docs/runbook.md#a-function-fails.\n']);
	}, 240_000);
});
