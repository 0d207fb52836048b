import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Act, group, instant } from '../command.ts';
import { endpointStatus } from '../endpoint-deliveries.ts';

const DAY_MS = 86_400_000;

const keyOf = ({ workspace, endpoint }: { readonly workspace: string; readonly endpoint: string }) => ({
	workspace_id: workspace,
	id: endpoint,
});

const aboutEndpoint = (name: string, description: string) =>
	new Command(name)
		.description(description)
		.requiredOption('--workspace <id>', 'the workspace')
		.requiredOption('--endpoint <id>', 'the endpoint');

const status = (act: Act) =>
	aboutEndpoint('status', 'Show the health of a webhook endpoint, its deliveries, its last attempt, and what to do.')
		.option('--since <time>', 'counts deliveries of events from then on (default: 7 days ago)', instant)
		.action(
			act(({ since, ...of }, deps, session) =>
				endpointStatus(keyOf(of), since ?? deps.clock.now() - 7 * DAY_MS, deps, session),
			),
		);

const listEndpoints = (act: Act) =>
	new Command('list')
		.description("List a workspace's webhook endpoints, oldest first, without secrets.")
		.requiredOption('--workspace <id>', 'the workspace')
		.action(
			act(async ({ workspace }, { store }) => {
				const endpoints = await store.endpointsOf(workspace);
				return endpoints.map(({ id, url, status, disabled_reason, events, created_at, health }) => {
					return { id, url, status, disabled_reason, events, failing_since: health.failing_since, created_at };
				});
			}),
		);

export const endpointCommands = (act: Act): readonly CommandUnknownOpts[] => [
	group(act, 'endpoint', 'Webhook endpoints', [listEndpoints, status]),
];
