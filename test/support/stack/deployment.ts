import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Stack } from '../../../local/stack.ts';
import { queueVariables } from '../../../shared/ports/registry.ts';

const Env = z.record(z.string(), z.string());

/**
 * A running stack that looks to an operator's commands like a deployed one: with `deployment.json` as the CDK writes it, and an
 * environment with AWS credentials. `more`: further outputs of the stack.
 */
export function asDeployment(stack: Stack, more: Readonly<Record<string, string>> = {}) {
	const env = Env.parse(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8')));
	const queues = Object.entries(queueVariables).map(([name, variable]) => [
		`CallBackQueueUrl${name.replaceAll('-', '')}`,
		env[variable],
	]);
	const outputs = {
		CallBackBaseUrl: stack.base_url,
		CallBackTableName: env['TABLE_NAME'],
		CallBackNumberKeyId: env['NUMBER_KEY_ID'],
		CallBackSecretKeyId: env['SECRET_KEY_ID'],
		CallBackMacKeyId: env['MAC_KEY_ID'],
		CallBackMailSender: env['MAIL_SENDER'],
		...Object.fromEntries(queues),
		...more,
	};
	const file = join(stack.state_dir, 'deployment.json');
	writeFileSync(file, JSON.stringify({ CallBack: outputs }));
	return { file, environment: Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_'))) };
}
