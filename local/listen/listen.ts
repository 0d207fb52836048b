import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { OperatorError } from '../../ops/operator-error.ts';
import { runProgram } from '../../ops/run-program.ts';
import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import { print, stackCommand } from './command.ts';
import { type ForwardedWebhook, startForwarding } from './forwarding.ts';
import { endpointsHere, type LocalStack, localStack, responseOf } from './local-stack.ts';

// `npm run listen` forwards webhooks of the stack on this machine to a receiver, over plain HTTP.

/** The default path. The receivers in examples/webhooks use the same path. */
const DEFAULT_PATH = '/webhooks';
const WHAT_NEXT = `
Start your receiver with that WEBHOOK_SECRET. The next npm run listen uses the same one.
Send a sample: npm run trigger -- call.completed
`;

function eventsOf(value: string): readonly EventKind[] {
	const names = value.split(',');
	const events = eventKinds.filter((kind) => names.includes(kind));
	if (events.length === names.length) return events;
	throw new InvalidArgumentError(`It takes event types separated by commas: ${eventKinds.join(', ')}.`);
}

function receiverAt(value: string): URL {
	const url = URL.canParse(value) ? new URL(value) : null;
	if (url?.protocol !== 'http:') throw new InvalidArgumentError('It takes an address such as http://localhost:8080.');
	return url.pathname === '/' && !value.endsWith('/') ? new URL(DEFAULT_PATH, url) : url;
}

/**
 * A line such as `12:34:56  call.completed -> 204, 31 ms`. If the receiver did not accept the delivery at the first attempt,
 * the line also has the delivery's id and the number of the attempt.
 */
function lineOf({ at, event, delivery_id, attempt, status, duration_ms, error }: ForwardedWebhook): string {
	const answer = error === null ? `${status}` : `no answer (${error})`;
	const isAccepted = status >= 200 && status < 300;
	const about = [
		...(isAccepted && attempt === 1 ? [] : [`attempt ${attempt}`]),
		...(isAccepted ? [] : ['retried later', `delivery ${delivery_id}`]),
	];
	return [`${at.slice(11, 19)}  ${event} -> ${answer}`, `${duration_ms} ms`, ...about].join(', ');
}

async function openForwarding({ listen_url, state_dir }: LocalStack, target: URL, mode: { readonly json: boolean }) {
	const port = Number(new URL(listen_url).port);
	try {
		const printLine = (line: ForwardedWebhook): void => print(line, lineOf(line), mode);
		return await startForwarding({ port, state_dir, target, onForwarded: printLine });
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		throw new OperatorError(`Port ${port} is in use: does another "npm run listen" run on this stack?`);
	}
}

const LastListening = z.object({ endpoint_id: z.string(), secret: z.string() });
type LastListening = z.infer<typeof LastListening>;

/**
 * The endpoint of the previous `listen`, with its secret. Both are read from a file, because the API shows a secret only
 * once. Null if there is no such file, or if it cannot be read.
 */
function readLastListening(file: string): LastListening | null {
	try {
		return LastListening.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return null;
	}
}

/**
 * Enables the endpoint of the previous `listen`, or creates one. Deletes all other endpoints with this address. They are left
 * over from earlier runs, because no other `listen` can run on this stack now.
 */
async function subscribe(stack: LocalStack, events: readonly EventKind[], target: URL): Promise<LastListening> {
	const { webhookEndpoints } = stack.client;
	const file = join(stack.state_dir, 'listen.json');
	const last = readLastListening(file);
	const change = { url: new URL(target.pathname + target.search, stack.listen_url).href, events: [...events] };
	let current: LastListening | null = null;
	for (const { id } of await endpointsHere(stack)) {
		if (id === last?.endpoint_id) current = last;
		else await responseOf(webhookEndpoints.delete(id));
	}
	if (current !== null) {
		await responseOf(webhookEndpoints.change(current.endpoint_id, { ...change, status: 'enabled' }));
		return current;
	}
	const { id, secret } = await responseOf(webhookEndpoints.create({ ...change, description: 'npm run listen' }));
	writeFileSync(file, JSON.stringify({ endpoint_id: id, secret }), { mode: 0o600 });
	return { endpoint_id: id, secret };
}

await runProgram(async () => {
	const about = 'Forwards webhooks of the stack of this machine to your receiver over plain HTTP, until Ctrl-C.';
	const command = stackCommand('npm run listen --', about)
		.requiredOption('--forward-to <url>', `your receiver at http://, by default its path ${DEFAULT_PATH}`, receiverAt)
		.option('--events <types>', 'event types separated by commas (default: all)', eventsOf)
		.parse();
	const { forwardTo: target, events = eventKinds, stateDir, apiKey, json } = command.opts();
	const stack = localStack(stateDir, apiKey);
	const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
	// The terminal sends Ctrl-C to npm and to this program, and npm passes its own on. The second signal must not end the program.
	for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop());
	const forwarding = await openForwarding(stack, target, { json });
	try {
		const { endpoint_id, secret } = await subscribe(stack, events, target);
		const start = { endpoint_id, events, forward_to: target.href, secret };
		const lines = [`WEBHOOK_SECRET=${secret}`, `Ready: ${events.join(', ')} -> ${target.href}`, WHAT_NEXT];
		print(start, lines.join('\n'), { json });
		await stopped;
		await responseOf(stack.client.webhookEndpoints.change(endpoint_id, { status: 'disabled' }));
		if (!json) console.log('Stopped. The endpoint is disabled until the next start.');
	} finally {
		await forwarding.close();
	}
});
