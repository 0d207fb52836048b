import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Creates a fake AWS CLI in a folder: a program named `aws` that records its arguments, prints `out` and exits with `code`.
 * Returns a PATH that starts with the folder of this program.
 */
export function fakeAwsCli(directory: string, out: object | string, code = 0) {
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

/** A response of CloudWatch's DescribeAlarms. */
export const alarmsIn = (...states: readonly string[]) => ({
	MetricAlarms: states.map((StateValue, n) => ({ AlarmName: `CallBack-alarm-${n}`, StateValue, ActionsEnabled: true })),
	CompositeAlarms: [],
});

/**
 * All that the AWS CLI prints about CloudWatch, in one object: the alarms, the log groups, and the sweep's log lines. Each
 * command reads only its own fields.
 */
export const cloudWatch = (states: readonly string[], zone_data: string | null = null) => ({
	...alarmsIn(...states),
	logGroups: ['Apigetcall', 'Workerssweep'].map((id) => ({ logGroupName: `CallBack-${id}Logs12AB-x` })),
	events: zone_data === null ? [] : [{ message: JSON.stringify({ fact: 'swept', zone_data }) }],
});
