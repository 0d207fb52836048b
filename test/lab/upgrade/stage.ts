import { freePort } from '../../../local/aws/dynamodb.ts';
import { fill } from './fill.ts';
import { startReceivers } from './receivers.ts';
import type { Release } from './release.ts';
import { type Code, type Running, startOn, whole } from './running.ts';
import { openSite, type Site } from './site.ts';

/** A state directory on which one stack takes the place of another, and the people around it, who stay. */
export type Stage = {
	readonly site: Site;
	/** Stops the stack while requests are under way, and starts another on the same state and addresses. */
	replace(code: Code): Promise<void>;
	stop(): Promise<void>;
};

/** Phones and deadlines are three times as fast; an event has three attempts. */
const OPTIONS = ['--speed', '3', '--retry-schedule', '0,1,6'];

export async function openStage(state_dir: string, first: Code): Promise<Stage> {
	const receivers = await startReceivers();
	const { allow_webhook_hosts, trust } = receivers.options;
	const hosts = allow_webhook_hosts.flatMap((host) => ['--allow-webhook-host', host]);
	const options = ['--port', String(await freePort()), ...OPTIONS, ...hosts, '--trust', trust];
	let stack: Running = await startOn(state_dir, first, options);
	return {
		site: openSite(() => stack, receivers),
		async replace(code) {
			// Like a deployment: what a function works on has a second to end. test/local/kill.test.ts kills a stack.
			await stack.stop();
			stack = await startOn(state_dir, code, options);
		},
		async stop() {
			await stack.stop();
			await receivers.stop();
		},
	};
}

/**
 * Makes the state directory of a release that was stopped at work: something of each kind is in its table, its queues and its
 * mailbox. The directory has to be empty.
 */
export async function fillState(release: Release, state_dir: string): Promise<void> {
	const stage = await openStage(state_dir, whole(release));
	try {
		await fill(stage.site);
	} finally {
		await stage.stop();
	}
}
