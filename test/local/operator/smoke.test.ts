import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../local/template.ts';
import { cloudWatch, fakeAwsCli } from '../../support/aws/fake-cli.ts';
import { asDeployment } from '../../support/stack/deployment.ts';
import { testStack } from '../../support/stack/stack.ts';

const directory = mkdtempSync(join(tmpdir(), 'call-back-smoke-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Ended = { readonly code: unknown; readonly out: string; readonly said: string };
const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
	new Promise<Ended>((resolve) => {
		const env = { ...process.env, ...environment };
		execFile(process.execPath, args, { env }, (error, out, said) => resolve({ code: error?.code ?? 0, out, said }));
	});

/**
 * Slower than in other tests. There, a member’s phone rings for one second at most, and the smoke test places calls while it runs
 * twice at the same time.
 */
const SLOWER = { speed: 5 };

/** Runs `npm run smoke` on a separate stack until it ends. */
async function smoke(alter: (template: Template) => Template = (template) => template) {
	const stack = await testStack(SLOWER, { alter });
	try {
		return await run(['ops/smoke/main.ts', '--state-dir', stack.state_dir]);
	} finally {
		await stack.stop();
	}
}

/** Removes the permission to read calls from the role of `get-call`. */
function withoutReading(template: Template): Template {
	const roles = Object.entries(template.Resources).map(([id, resource]) => {
		const isMeant = /^Apigetcall[A-Z]/.test(id) && resource.Type === 'AWS::IAM::Role';
		if (!isMeant) return [id, resource] as const;
		return [id, JSON.parse(JSON.stringify(resource).replaceAll('CALL#*', 'NOTHING#*'))] as const;
	});
	return { ...template, Resources: Object.fromEntries(roles) };
}

describe('the smoke test of an operator', () => {
	it('finds no fault on a working stack, local or deployed', async () => {
		const stack = await testStack(SLOWER);
		try {
			// Makes three runs in one window of the rate limits, two of them at the same time. A run must not use up a limit that
			// another run needs.
			const local = ['ops/smoke/main.ts', '--state-dir', stack.state_dir];
			const [here, again] = await Promise.all([run(local), run(local)]);
			const { file, environment } = asDeployment(stack, { CallBackTelephonyProvider: 'simulator' });
			const inbox = ['--inbox', stack.inbox_url.replace(/[^/]+$/, 'smoke')];
			const shown = ['--inbox-shows', `${stack.console_url}/inbox/smoke#key=${stack.console_key}`];
			const { PATH, ...cli } = fakeAwsCli(directory, cloudWatch(['OK', 'INSUFFICIENT_DATA'], '2019a'));
			const args = ['ops/smoke/main.ts', '--outputs', file, ...inbox, ...shown];
			const deployed = await run(args, { ...environment, PATH });
			for (const { code, out, said } of [here, again, deployed]) {
				expect({ code, said, failed: out.match(/.*FAILED.*\n.*/g) }).toEqual({ code: 0, said: '', failed: null });
				for (const what of [
					'the sweep runs',
					'a simulated call, and its verified webhooks',
					'a call that is cancelled',
				]) {
					expect(out).toContain(`ok      ${what}`);
				}
			}
			expect(here.out).toContain('ok      alarms: skipped: alarms are on AWS only');
			expect(deployed.out).toContain('ok      alarms: 2 alarms, none in ALARM');
			expect(cli.calls()).toEqual([
				'cloudwatch describe-alarms --alarm-name-prefix CallBack- --output json',
				'logs describe-log-groups --log-group-name-prefix CallBack- --output json',
				expect.stringMatching(
					/^logs filter-log-events --log-group-name CallBack-WorkerssweepLogs12AB-x --filter-pattern zone_data --start-time \d{13} /,
				),
			]);
			const own = process.versions['tz'];
			expect(here.out).toContain(`ok      zone data: ${own}\n`);
			expect(deployed.out).toContain(
				`note    zone data: 2019a, and this machine has ${own}: see docs/runbook.md#opening`,
			);
		} finally {
			await stack.stop();
		}
	});

	it('prints its options with --help', async () => {
		const { code, out } = await run(['ops/smoke/main.ts', '--help']);
		expect([code, out]).toEqual([0, expect.stringContaining('--state-dir <dir>')]);
	});

	it('names the function whose role lacks a permission, and exits with 1', async () => {
		const { code, said } = await smoke(withoutReading);
		expect([code, said]).toEqual([1, 'Failed: get-call. See docs/runbook.md#a-function-fails.\n']);
	});
});
