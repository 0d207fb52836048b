import { rmSync } from 'node:fs';
import { freePort } from '../../../local/aws/dynamodb.ts';
import { hasBrowser } from '../../support/browser/installed.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { type Ending, endingOf } from './around/interrupted.ts';
import { startPages } from './around/pages.ts';
import { startReceivers } from './around/receivers.ts';
import type { Release } from './around/release.ts';
import { type Code, type Running, startOn, whole } from './around/running.ts';
import { openSite, type Scene, type Site } from './around/site.ts';
import { fill } from './fill.ts';

/** A state directory on which stacks replace one another, and the people around them, who stay. */
export type Stage = {
	readonly site: Site;
	/** Ends the stack while requests are in progress, and starts another one with the same state and URLs. */
	replace(code: Code, end: End): Promise<void>;
	stop(): Promise<void>;
};

/**
 * How a stack ends. `stopped`: its functions have a second to complete their work, as in a deployment on Lambda. `killed`: they
 * have no time.
 */
export type End = 'stopped' | 'killed';

/** Phones and deadlines are three times as fast, and an event has three attempts. */
const OPTIONS = ['--speed', '3', '--retry-schedule', '0,1,6'];

export async function openStage(stateDir: string, first: Code): Promise<Stage> {
	const receivers = await startReceivers();
	const { allow_webhook_hosts, trust } = receivers.options;
	const hosts = allow_webhook_hosts.flatMap((host) => ['--allow-webhook-host', host]);
	const options = ['--port', String(await freePort()), ...OPTIONS, ...hosts, '--trust', trust];
	const widgets = temporaryDirectory('upgrade-widget-');
	const pages = (await hasBrowser()) ? await startPages(widgets) : null;
	const start = async (code: Code): Promise<Running> => {
		const started = await startOn(stateDir, code, options);
		pages?.publish(started);
		return started;
	};
	let stack = await start(first);
	let running: Code | null = first;
	const endings: Ending[] = [];
	let ready = Promise.resolve();
	const scene: Scene = {
		stack: () => stack,
		contracts: () => [...new Set([first.contract, running?.contract])].filter((each) => each != null),
		endings: () => endings,
		ready: () => ready,
	};
	return {
		site: openSite(scene, receivers, pages),
		async replace(code, end) {
			// Until the next stack is up, a response may come from either stack.
			running = null;
			const up = Promise.withResolvers<void>();
			ready = up.promise;
			const endedMs = Date.now();
			await stack.stop(end === 'killed' ? 'SIGKILL' : 'SIGTERM');
			endings.push(endingOf(stateDir, endedMs));
			stack = await start(code);
			running = code;
			up.resolve();
		},
		async stop() {
			await stack.stop();
			await Promise.all([receivers.stop(), pages?.stop()]);
			rmSync(widgets, { recursive: true, force: true });
		},
	};
}

/**
 * Makes the state directory of a release that was stopped while it was working. Its table, its queues and its mailbox contain
 * something of each kind. The directory has to be empty at the start.
 */
export async function fillState(release: Release, stateDir: string): Promise<void> {
	const stage = await openStage(stateDir, whole(release));
	try {
		await fill(stage.site);
	} finally {
		await stage.stop();
	}
}
