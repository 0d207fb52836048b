import { Argument } from '@commander-js/extra-typings';
import { OperatorError } from '../../ops/operator-error.ts';
import { runProgram } from '../../ops/run-program.ts';
import { shortened, visibleLine } from '../../shared/domain/kernel/visible-line.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { print, stackCommand } from './command.ts';
import { endpointsHere, localStack, responseOf } from './local-stack.ts';

// `npm run trigger` sends a signed sample of an event.

/** The most characters of a receiver's answer that are printed. */
const MOST_SHOWN = 300;

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
	const { response_status, response_body, error, hint, timings } = attempt;
	const answer = error === null || response_body === null ? '' : shortened(visibleLine(response_body), MOST_SHOWN);
	const lines = [
		`${event} -> ${response_status ?? error}, ${timings.total_ms} ms`,
		hint,
		answer && `Its answer: ${answer}`,
	];
	const seen = { endpoint_id, event, response_status, error, hint, response_body, total_ms: timings.total_ms };
	print(seen, lines.filter(Boolean).join('\n'), { json });
	if (error !== null) process.exitCode = 1;
});
