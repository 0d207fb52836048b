import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type * as z from 'zod/mini';
import {
	ChangeWebhookEndpoint,
	CreateWebhookEndpoint,
	RotateSecret,
	TestWebhookEndpoint,
	WebhookEndpoint,
} from '../../shared/contract/webhooks/webhook-endpoints.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../shared/use-cases/webhooks/delete-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../shared/use-cases/webhooks/test-webhook-endpoint.ts';
import { type CommandAction, collect, group, instant, NO_WORKSPACE, WORKSPACE, wholeNumber } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { endpointStatus, noteHeld, recoverEndpoint } from '../endpoint-deliveries.ts';
import { checked } from '../input/checked.ts';
import { OperatorError } from '../operator-error.ts';

const DAY_MS = 86_400_000;
const NO_ENDPOINT = 'the workspace has no endpoint with this id';

const keyOf = ({ workspace, endpoint }: { readonly workspace: string; readonly endpoint: string }) => ({
	workspace_id: workspace,
	id: endpoint,
});

const aboutEndpoint = (name: string, description: string) =>
	new Command(name)
		.description(description)
		.requiredOption(...WORKSPACE)
		.requiredOption('--endpoint <id>', 'the endpoint');

function collectHeader(value: string, before: Readonly<Record<string, string>> | undefined) {
	const [, name, text] = /^([^:]+):\s*(.*)$/.exec(value) ?? [];
	if (name === undefined || text === undefined) throw new InvalidArgumentError('It takes "Name: value".');
	return { ...before, [name]: text };
}

const publicEndpoint = (endpoint: z.infer<typeof WebhookEndpoint>) => WebhookEndpoint.parse(endpoint);
const withSecret = ({ endpoint, secret }: { endpoint: z.infer<typeof WebhookEndpoint>; secret: string }) => ({
	...publicEndpoint(endpoint),
	secret,
});

const EVENTS = `an event type, one of ${eventKinds.join(', ')}; repeatable`;
const HEADER = 'a header of every delivery, as "Name: value"; repeatable';

const create = (act: CommandAction) =>
	new Command('create')
		.description('Create a webhook endpoint. Its signing secret is printed once, and never again.')
		.requiredOption(...WORKSPACE)
		.requiredOption('--url <https>', 'where deliveries are sent')
		.option('--event <type>', `${EVENTS} (default: all)`, collect)
		.option('--description <text>', 'what it is for')
		.option('--header <line>', HEADER, collectHeader)
		.action(
			act(async ({ workspace, url, event = eventKinds, description = null, header = null }, deps) => {
				if ((await deps.store.get('workspace', { id: workspace })) === null) throw new OperatorError(NO_WORKSPACE);
				const body = checked(CreateWebhookEndpoint, { url, events: event, description, headers: header });
				const input = { ...body, workspace_id: workspace, description: body.description ?? null };
				const result = await createWebhookEndpoint(input, deps);
				switch (result.outcome) {
					case 'created':
						return withSecret(result);
					case 'webhook_url_not_allowed':
						throw new OperatorError(`--url: ${result.reason}`);
					case 'limit_reached':
						throw new OperatorError('the workspace has the maximum number of endpoints: delete one first');
				}
			}),
		);

async function change(key: ReturnType<typeof keyOf>, edit: unknown, deps: OpsDeps) {
	const result = await changeWebhookEndpoint(key, checked(ChangeWebhookEndpoint, edit), deps);
	if (result.outcome === 'changed') return publicEndpoint(result.endpoint);
	throw new OperatorError(result.outcome === 'webhook_url_not_allowed' ? `--url: ${result.reason}` : NO_ENDPOINT);
}

const set = (act: CommandAction) =>
	aboutEndpoint('set', 'Change a webhook endpoint. What you do not name stays.')
		.option('--url <https>', 'where deliveries are sent')
		.option('--event <type>', `${EVENTS}; they replace the current ones`, collect)
		.option('--description <text>', 'what it is for')
		.option('--header <line>', `${HEADER}; they replace the current ones`, collectHeader)
		.option('--no-headers', 'removes all custom headers')
		.action(
			act(({ url, event, description, header, headers, ...of }, deps) => {
				const edit = { url, events: event, description, headers: headers ? header : null };
				return change(keyOf(of), edit, deps);
			}),
		);

const enable = (act: CommandAction) =>
	aboutEndpoint('enable', 'Enable a webhook endpoint. Held deliveries wait until you run recover.').action(
		act(async (of, deps, session) => {
			const enabledEndpoint = await change(keyOf(of), { status: 'enabled' }, deps);
			await noteHeld(keyOf(of), deps, session);
			return enabledEndpoint;
		}),
	);

const disable = (act: CommandAction) =>
	aboutEndpoint('disable', 'Disable a webhook endpoint. Its deliveries are held for 30 days.').action(
		act((of, deps) => change(keyOf(of), { status: 'disabled' }, deps)),
	);

const rotate = (act: CommandAction) =>
	aboutEndpoint('rotate', 'Create a new signing secret. It is printed once. For a time, the former secret signs too.')
		.option('--overlap-seconds <n>', 'how long the former secret signs (default: a day)', wholeNumber)
		.action(
			act(async ({ overlapSeconds, ...of }, deps) => {
				const { overlap_seconds } = checked(RotateSecret, { overlap_seconds: overlapSeconds });
				const result = await rotateWebhookSecret(keyOf(of), overlap_seconds, deps);
				if (result.outcome === 'not_found') throw new OperatorError(NO_ENDPOINT);
				return withSecret(result);
			}),
		);

const test = (act: CommandAction) =>
	aboutEndpoint('test', 'Send a made-up event now, signed like every delivery, and show the response.')
		.option('--event <type>', `one of ${eventKinds.join(', ')} (default: call.requested)`)
		.action(
			act(async ({ event, ...of }, deps) => {
				const attempt = await testWebhookEndpoint(keyOf(of), checked(TestWebhookEndpoint, { event }).event, deps);
				if (attempt === null) throw new OperatorError(NO_ENDPOINT);
				return attempt;
			}),
		);

const remove = (act: CommandAction) =>
	aboutEndpoint(
		'delete',
		'Delete a webhook endpoint for good; its pending deliveries are canceled when they are due.',
	).action(
		act(async (of, { store }) => {
			const { outcome } = await deleteWebhookEndpoint(keyOf(of), { store, hasSeen: () => true });
			if (outcome === 'not_found') throw new OperatorError(NO_ENDPOINT);
			return { endpoint_id: of.endpoint, deleted: true };
		}),
	);

const recover = (act: CommandAction) =>
	aboutEndpoint('recover', 'Send again what a webhook endpoint missed, newest first, spread over time.')
		.requiredOption('--since <time>', 'events from this time on', instant)
		.option('--until <time>', 'events before this time (default: now)', instant)
		.option('--missing', 'also events that have no delivery to the endpoint')
		.option('--dry-run', 'only counts them')
		.action(
			act(({ since, until = null, missing = false, dryRun = false, ...of }, deps, session) => {
				const mode = missing ? 'missing' : 'failed';
				const { workspace_id, id: endpoint_id } = keyOf(of);
				const input = { workspace_id, endpoint_id, since_ms: since, until_ms: until, mode, dry_run: dryRun } as const;
				return recoverEndpoint(input, deps, session);
			}),
		);

const status = (act: CommandAction) =>
	aboutEndpoint('status', 'Show the health of a webhook endpoint, its deliveries, its last attempt, and what to do.')
		.option('--since <time>', 'counts deliveries of events from this time on (default: 7 days ago)', instant)
		.action(
			act(({ since, ...of }, deps, session) =>
				endpointStatus(keyOf(of), since ?? deps.clock.now() - 7 * DAY_MS, deps, session),
			),
		);

const listEndpoints = (act: CommandAction) =>
	new Command('list')
		.description("List a workspace's webhook endpoints, oldest first, without secrets.")
		.requiredOption(...WORKSPACE)
		.action(
			act(async ({ workspace }, { store }) => {
				const endpoints = await store.endpointsOf(workspace);
				return endpoints.map(({ id, url, status, disabled_reason, events, created_at, health }) => {
					return { id, url, status, disabled_reason, events, failing_since: health.failing_since, created_at };
				});
			}),
		);

export const endpointCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'endpoint', 'Webhook endpoints', [
		listEndpoints,
		status,
		create,
		set,
		enable,
		disable,
		test,
		rotate,
		recover,
		remove,
	]),
];
