import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alarms } from '../../../ops/smoke/alarms.ts';
import { Remark, SmokeFailure } from '../../../ops/smoke/probe.ts';
import { unusedNumber } from '../../../ops/smoke/unused-number.ts';
import { zoneData } from '../../../ops/smoke/zone-data.ts';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { alarmsIn, cloudWatch, fakeAwsCli } from '../../support/aws/fake-cli.ts';

// Tests the requests of the smoke test to CloudWatch. test/local/operator/smoke.test.ts runs the whole smoke test.

let directory: string;
let outputs: string;
let emptyPath: string;
beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-smoke-'));
	outputs = join(directory, 'deployment.json');
	writeFileSync(outputs, JSON.stringify({ Other: {}, CallBack: { CallBackBaseUrl: 'https://api.example/v1' } }));
	emptyPath = mkdtempSync(join(directory, 'empty-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The result of a check with this PATH: its text, its remark, or the function that failed and why. */
async function said(PATH: string, check: () => Promise<string | Remark>): Promise<string> {
	const before = process.env['PATH'];
	process.env['PATH'] = PATH;
	try {
		const answer = await check();
		return answer instanceof Remark ? `remark: ${answer.text}` : answer;
	} catch (error) {
		if (!(error instanceof SmokeFailure)) throw error;
		return `${error.culprit}: ${error.message}`;
	} finally {
		process.env['PATH'] = before;
	}
}

it('the smoke test calls ordinary US numbers, and none that is free or costs extra', () => {
	const drawn = Array.from({ length: 2000 }, () => phoneNumbers.parse(unusedNumber('01')));
	expect(drawn.filter((read) => !('type' in read && read.region === 'US' && read.type === 'fixed'))).toEqual([]);
});

describe('the check of the alarms', () => {
	const ask = (PATH: string) => said(PATH, () => alarms(outputs));

	it.each<[string, object | string, number, RegExp]>([
		['no alarm that fires', alarmsIn('OK', 'INSUFFICIENT_DATA'), 0, /^2 alarms, none in ALARM$/],
		['an alarm that fires', alarmsIn('OK', 'ALARM'), 0, /^monitoring: in ALARM: CallBack-alarm-1$/],
		['no alarm at all', alarmsIn(), 0, /^monitoring: no alarm of the stack CallBack was found$/],
		['what the CLI says when it fails', 'An error occurred (AccessDenied)', 254, /An error occurred \(AccessDenied\)/],
	])('reports: %s', async (_, out, code, text) => {
		expect(await ask(fakeAwsCli(directory, out, code).PATH)).toMatch(text);
	});

	it('is skipped with a message if the AWS CLI is not installed', async () => {
		expect(await ask(emptyPath)).toBe('skipped: the AWS CLI is not installed');
	});

	it('is skipped on the local stack', async () => {
		expect(await alarms(null)).toBe('skipped: alarms are on AWS only');
	});
});

describe('the check of the zone data of a deployed stack', () => {
	const ask = (PATH: string) => said(PATH, () => zoneData(outputs, ''));
	const own = `${process.versions['tz']}`;
	const renamed = { logGroups: [{ logGroupName: 'CallBack-Other' }] };

	it.each<[string, object | string, number, RegExp]>([
		['the same as on this machine', cloudWatch([], own), 0, new RegExp(`^${own}$`)],
		['newer than on this machine', cloudWatch([], '2099z'), 0, /^2099z$/],
		['older, which is only a remark', cloudWatch([], '2025b'), 0, /^remark: 2025b, and this machine has /],
		['not readable', 'An error occurred (AccessDenied)', 254, /^monitoring: aws logs describe-log-groups: /],
		['no log to read it from', { logGroups: [] }, 0, /no log group CallBack-\*sweepLogs\* to read it from/],
		['only other logs', renamed, 0, /no log group CallBack-\*sweepLogs\* to read it from/],
	])('reports what it found: %s', async (_, out, code, text) => {
		expect(await ask(fakeAwsCli(directory, out, code).PATH)).toMatch(text);
	});

	it('is skipped with a message if the AWS CLI is not installed', async () => {
		expect(await ask(emptyPath)).toBe('skipped: the AWS CLI is not installed');
	});
});
