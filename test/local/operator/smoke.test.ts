import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../local/template.ts';
import { unusedNumber } from '../../../ops/smoke/unused-number.ts';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
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

/** Runs `npm run smoke` on its own stack, to the end. */
async function smoke(alter: (template: Template) => Template = (template) => template) {
	const stack = await testStack({}, { alter });
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

/**
 * Creates a fake AWS CLI: a program named `aws` that records its arguments, prints `out` and exits with `code`. Returns a
 * PATH with it.
 */
function awsCli(out: object | string, code = 0): { readonly PATH: string; calls(): readonly string[] } {
	const folder = mkdtempSync(join(directory, 'bin-'));
	const program = join(folder, 'aws');
	const heard = join(folder, 'arguments');
	writeFileSync(join(folder, 'out'), typeof out === 'string' ? out : JSON.stringify(out));
	const stream = code === 0 ? '' : ' >&2';
	writeFileSync(program, `#!/bin/sh\necho "$@" >> '${heard}'\ncat '${join(folder, 'out')}'${stream}\nexit ${code}\n`);
	chmodSync(program, 0o755);
	const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
	return { PATH, calls: () => readFileSync(heard, 'utf8').trim().split('\n') };
}
/** What the AWS CLI prints of CloudWatch: the alarms, the log groups, and the sweep's lines; each command finds its own members. */
const cloudWatch = (states: readonly string[], zone_data: string | null = null) => ({
	...alarmsIn(...states),
	logGroups: ['Apigetcall', 'Workerssweep'].map((id) => ({ logGroupName: `CallBack-${id}Logs12AB-x` })),
	events: zone_data === null ? [] : [{ message: JSON.stringify({ fact: 'swept', zone_data }) }],
});
/** A response of CloudWatch's DescribeAlarms. */
const alarmsIn = (...states: readonly string[]) => ({
	MetricAlarms: states.map((StateValue, n) => ({ AlarmName: `CallBack-alarm-${n}`, StateValue, ActionsEnabled: true })),
	CompositeAlarms: [],
});

describe('the smoke test of an operator', () => {
	it('finds no fault on a working stack, local or deployed', async () => {
		const stack = await testStack();
		try {
			// Three runs in a window, two of them at once: none spends what another needs.
			const local = ['ops/smoke/main.ts', '--state-dir', stack.state_dir];
			const [here, again] = await Promise.all([run(local), run(local)]);
			const { file, environment } = asDeployment(stack, { CallBackTelephonyProvider: 'simulator' });
			const inbox = ['--inbox', stack.inbox_url.replace(/[^/]+$/, 'smoke')];
			const shown = ['--inbox-shows', `${stack.console_url}/inbox/smoke#key=${stack.console_key}`];
			const { PATH, ...cli } = awsCli(cloudWatch(['OK', 'INSUFFICIENT_DATA'], '2019a'));
			const args = ['ops/smoke/main.ts', '--outputs', file, ...inbox, ...shown];
			const deployed = await run(args, { ...environment, PATH });
			for (const { code, out, said } of [here, again, deployed]) {
				expect({ code, said, failed: out.match(/.*FAILED.*/g) }).toEqual({ code: 0, said: '', failed: null });
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

	it('calls ordinary US numbers, none that is free or costs extra', () => {
		const drawn = Array.from({ length: 2000 }, () => phoneNumbers.parse(unusedNumber('01')));
		expect(drawn.filter((read) => !('type' in read && read.region === 'US' && read.type === 'fixed'))).toEqual([]);
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

describe('the alarms of a deployed stack', () => {
	const ask = (PATH: string) => {
		const file = join(mkdtempSync(join(directory, 'outputs-')), 'deployment.json');
		writeFileSync(file, JSON.stringify({ Other: {}, CallBack: { CallBackBaseUrl: 'https://api.example/v1' } }));
		const found = 'alarms(process.env.OUTPUTS).catch((error) => [error.culprit, error.message].join(": "))';
		const program = `import { alarms } from './ops/smoke/alarms.ts'; console.log(await ${found});`;
		return run(['--input-type=module', '--eval', program], { PATH, OUTPUTS: file });
	};
	it.each<[string, object | string, number, string]>([
		['one that sounds', alarmsIn('OK', 'ALARM'), 0, 'monitoring: in ALARM: CallBack-alarm-1\n'],
		['none at all', alarmsIn(), 0, 'monitoring: no alarm of the stack CallBack was found\n'],
		['what the CLI says when it fails', 'An error occurred (AccessDenied)', 254, 'An error occurred (AccessDenied)'],
	])('are reported: %s', async (_, out, code, text) => {
		expect((await ask(awsCli(out, code).PATH)).out).toContain(text);
	});

	it('are skipped with a message if the AWS CLI is not installed', async () => {
		expect((await ask(mkdtempSync(join(directory, 'empty-')))).out).toBe('skipped: the AWS CLI is not installed\n');
	});
});

describe('the zone data of a deployed stack', () => {
	const ask = (PATH: string) => {
		const file = join(mkdtempSync(join(directory, 'outputs-')), 'deployment.json');
		writeFileSync(file, JSON.stringify({ CallBack: { CallBackBaseUrl: 'https://api.example/v1' } }));
		const found = 'zoneData(process.env.OUTPUTS, "").catch((error) => [error.culprit, error.message].join(": "))';
		const program = `import { zoneData } from './ops/smoke/zone-data.ts'; console.log(await ${found});`;
		return run(['--input-type=module', '--eval', program], { PATH, OUTPUTS: file });
	};
	const own = `${process.versions['tz']}`;

	it.each<[string, object | string, number, string]>([
		['of this machine', cloudWatch([], own), 0, `${own}\n`],
		['newer than that of this machine', cloudWatch([], '2099z'), 0, '2099z\n'],
		['older, which is a remark', cloudWatch([], '2025b'), 0, "Remark {\n  text: '2025b, and this machine has"],
		['that could not be read', 'An error occurred (AccessDenied)', 254, 'monitoring: aws logs describe-log-groups: '],
		['whose log has another name', { logGroups: [] }, 0, 'no log group CallBack-*sweepLogs* to read it from'],
	])('is reported: %s', async (_, out, code, text) => {
		expect((await ask(awsCli(out, code).PATH)).out).toContain(text);
	});

	it('is skipped with a message if the AWS CLI is not installed', async () => {
		expect((await ask(mkdtempSync(join(directory, 'empty-')))).out).toBe('skipped: the AWS CLI is not installed\n');
	});
});
