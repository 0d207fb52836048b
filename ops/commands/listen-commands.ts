import { Argument, Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { LocalError } from '../../local/local-error.ts';
import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import { GlobalOptions, type Host } from '../command.ts';
import type { Forwarded } from '../forwarding.ts';
import { asked, type LocalStack, localStack } from '../local-stack.ts';
import { OperatorError } from '../operator-error.ts';
import { readable } from '../readable.ts';

const DESCRIPTION = 'ops listen';
/** The default path, as in the receivers in examples/webhooks. */
const DEFAULT_PATH = '/webhooks';
/** The longest that a timer can wait. */
const UNTIL_STOPPED_MS = 2 ** 31 - 1;
const API_KEY_HELP = 'API key of another workspace than the demo workspace';

function collectEvents(value: string): readonly EventKind[] {
	const names = value.split(',');
	const events = eventKinds.filter((kind) => names.includes(kind));
	if (events.length === names.length) return events;
	throw new InvalidArgumentError(`It takes event types with commas between: ${eventKinds.join(', ')}.`);
}

function receiver(value: string): URL {
	const url = URL.canParse(value) ? new URL(value) : null;
	if (url?.protocol !== 'http:') throw new InvalidArgumentError('It takes an address such as http://localhost:8080.');
	return url.pathname === '/' && !value.endsWith('/') ? new URL(DEFAULT_PATH, url) : url;
}

/** The output to the host: JSON for programs, lines for people. */
function output(host: Host, command: CommandUnknownOpts) {
	const { json = false, stateDir = '.local', outputs } = GlobalOptions.parse(command.optsWithGlobals());
	if (outputs !== undefined) throw new OperatorError('this command works on the stack of this machine only');
	return { state_dir: stateDir, plain: json || host.columns === null };
}

function lineOf({ at, event, delivery_id, attempt, status, duration_ms, error }: Forwarded): string {
	const answer = error === null ? `${status}` : `no answer (${error}), retried later`;
	return `${at.slice(11, 19)}  ${event.padEnd(18)}  ${delivery_id}  attempt ${attempt}  ${answer}  ${duration_ms} ms`;
}

export const listenCommand = (host: Host): CommandUnknownOpts =>
	new Command('listen')
		.description('Forward webhooks of the stack of this machine to your receiver over plain HTTP, until Ctrl-C.')
		.requiredOption(
			'--forward-to <url>',
			`your receiver, such as http://localhost:8080 (then ${DEFAULT_PATH})`,
			receiver,
		)
		.option('--events <types>', 'event types with commas between (default: all)', collectEvents)
		.option('--api-key <key>', API_KEY_HELP)
		.action(async ({ forwardTo, events = eventKinds, apiKey }, command) => {
			const { state_dir, plain } = output(host, command);
			const stack = localStack(state_dir, apiKey);
			const tell = (forwarded: Forwarded): void => host.write(plain ? JSON.stringify(forwarded) : lineOf(forwarded));
			const forwarding = await openForwarding(stack, forwardTo, tell);
			try {
				const endpoint = await subscribe(stack, events, forwardTo, host);
				const { id: endpoint_id, secret } = endpoint;
				const started = { endpoint_id, events, forward_to: forwardTo.href, secret };
				host.write(plain ? JSON.stringify(started) : `${readable(started, host.columns ?? 80)}\n${WHAT_NEXT}`);
				await host.session.pause(UNTIL_STOPPED_MS);
				await asked(stack.client.webhookEndpoints.delete(endpoint_id));
			} finally {
				await forwarding.close();
			}
		});

const WHAT_NEXT = `
Start your receiver with WEBHOOK_SECRET set to this secret. Send a sample: npm run ops -- trigger call.completed
Ctrl-C removes the endpoint. If it is left over after a kill, the next listen removes it.
`;

async function openForwarding({ listen_url, state_dir }: LocalStack, target: URL, told: (line: Forwarded) => void) {
	// Only this command loads the certificates' library.
	const { startForwarding } = await import('../forwarding.ts');
	const port = Number(new URL(listen_url).port);
	try {
		return await startForwarding({ port, state_dir, target, told });
	} catch (error) {
		if (!(error instanceof LocalError)) throw error;
		throw new OperatorError(`Port ${port} is in use: does another "ops listen" run on this stack?`);
	}
}

/** Creates an endpoint at our own address. Nothing else listens there, so an older endpoint is a leftover; delete it. */
async function subscribe(stack: LocalStack, events: readonly EventKind[], target: URL, host: Host) {
	const { webhookEndpoints } = stack.client;
	for (const { id } of await endpointsHere(stack)) {
		await asked(webhookEndpoints.delete(id));
		host.session.note(`Removed an endpoint that an earlier listen has left over: ${id}`);
	}
	const url = new URL(target.pathname + target.search, stack.listen_url).href;
	return asked(webhookEndpoints.create({ url, events: [...events], description: DESCRIPTION }));
}

async function endpointsHere({ client, listen_url }: LocalStack) {
	const endpoints = await asked(client.webhookEndpoints.list());
	return endpoints.filter(({ url }) => new URL(url).origin === listen_url);
}

export const triggerCommand = (host: Host): CommandUnknownOpts =>
	new Command('trigger')
		.description('Send a signed sample of an event to the endpoint of "ops listen", or to another endpoint.')
		.addArgument(new Argument('<event>', 'event type').choices(eventKinds))
		.option('--endpoint <id>', 'an endpoint of the workspace')
		.option('--api-key <key>', API_KEY_HELP)
		.action(async (event, { endpoint, apiKey }, command) => {
			const { state_dir, plain } = output(host, command);
			const stack = localStack(state_dir, apiKey);
			const [here] = endpoint === undefined ? await endpointsHere(stack) : [{ id: endpoint }];
			if (here === undefined)
				throw new OperatorError('No "ops listen" runs. Start it, or name an endpoint with --endpoint.');
			const attempt = await asked(stack.client.webhookEndpoints.test(here.id, { event }));
			const { response_status, error, hint, timings } = attempt;
			const result = { endpoint_id: here.id, event, response_status, error, hint, total_ms: timings.total_ms };
			host.write(plain ? JSON.stringify(result, null, 2) : readable(result, host.columns ?? 80));
		});
