import { Argument } from '@commander-js/extra-typings';
import { OperatorError } from '../../ops/operator-error.ts';
import { runProgram } from '../../ops/run-program.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { print, stackCommand } from './command.ts';
import { endpointsHere, localStack, responseOf } from './local-stack.ts';

// `npm run trigger` sends a signed sample of an event.

await runProgram(async () => {
	const about = 'Sends a signed sample of an event to the endpoint of "npm run listen", or to another endpoint.';
	const command = stackCommand('npm run trigger --', about)
		.addArgument(new Argument('<event>', 'type of the event').choices(eventKinds))
		.option('--endpoint <id>', 'an endpoint of the workspace')
		.parse();
	const [event] = command.processedArgs;
	const { endpoint, stateDir, apiKey, json } = command.opts();
	const stack = localStack(stateDir, apiKey);
	const enabledEndpoint = (await endpointsHere(stack)).find(({ status }) => status === 'enabled');
	const endpoint_id = endpoint ?? enabledEndpoint?.id;
	if (endpoint_id === undefined) {
		throw new OperatorError('"npm run listen" is not running. Start it, or name an endpoint with --endpoint.');
	}
	const attempt = await responseOf(stack.client.webhookEndpoints.test(endpoint_id, { event }));
	const { response_status, error, hint, timings } = attempt;
	const lines = [`${event} -> ${response_status ?? error}, ${timings.total_ms} ms`, ...(hint === null ? [] : [hint])];
	print({ endpoint_id, event, response_status, error, hint, total_ms: timings.total_ms }, lines.join('\n'), { json });
	if (error !== null) process.exitCode = 1;
});
