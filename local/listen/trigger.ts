import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import { LocalError } from '../local-error.ts';
import { COMMON, COMMON_USAGE, print, readArguments, runCommand, UsageError } from './command.ts';
import { answerOf, endpointsHere, localStack } from './local-stack.ts';

// `npm run trigger`: sends a signed sample of an event.

const USAGE = `npm run trigger -- EVENT [options]
Sends a signed sample of an event to the endpoint of "npm run listen", or to another endpoint.
  EVENT                ${eventKinds.join(', ')}
  --endpoint ID        an endpoint of the workspace
${COMMON_USAGE}`;

function eventOf(names: readonly string[]): EventKind {
	const event = eventKinds.find((kind) => names.length === 1 && kind === names[0]);
	if (event === undefined) throw new UsageError(`EVENT is one of ${eventKinds.join(', ')}.`);
	return event;
}

await runCommand(USAGE, async () => {
	const { values, positionals } = readArguments({ ...COMMON, endpoint: { type: 'string' } }, true);
	const event = eventOf(positionals);
	const stack = localStack(values['state-dir'], values['api-key']);
	const enabledEndpoint = (await endpointsHere(stack)).find(({ status }) => status === 'enabled');
	const endpoint_id = values.endpoint ?? enabledEndpoint?.id;
	if (endpoint_id === undefined) {
		throw new LocalError('No "npm run listen" runs. Start it, or name an endpoint with --endpoint.');
	}
	const attempt = await answerOf(stack.client.webhookEndpoints.test(endpoint_id, { event }));
	const { response_status, error, hint, timings } = attempt;
	const lines = [
		`${event}: ${response_status ?? error} after ${timings.total_ms} ms`,
		...(hint === null ? [] : [hint]),
	];
	print({ endpoint_id, event, response_status, error, hint, total_ms: timings.total_ms }, lines.join('\n'));
	if (error !== null) process.exitCode = 1;
});
