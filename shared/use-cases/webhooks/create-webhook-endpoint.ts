import { definedFields } from '../../domain/kernel/defined-fields.ts';
import type { CustomHeaders } from '../../domain/webhooks/custom-headers.ts';
import { newEndpoint } from '../../domain/webhooks/endpoint-machine.ts';
import type { EventKind } from '../../domain/webhooks/event.ts';
import {
	type EndpointMaker,
	MAX_ENDPOINTS_PER_WORKSPACE,
	type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import type { TargetRefusal, WebhookSender } from '../../ports/webhook-sender.ts';
import { change, type ForRequest } from '../kernel/unit-of-work.ts';
import { sealHeaders } from './custom-headers.ts';
import { changeRoster, readRoster } from './endpoint-roster.ts';
import { makeSecret, type NewSecret, type SecretDeps } from './rotate-webhook-secret.ts';

export type CreateWebhookEndpointInput = {
	readonly workspace_id: string;
	readonly url: string;
	readonly description: string | null;
	readonly events: readonly EventKind[];
	readonly headers?: CustomHeaders | null | undefined;
} & EndpointMaker;
export type CreateWebhookEndpointResult =
	| ({ readonly outcome: 'created'; readonly endpoint: WebhookEndpoint } & NewSecret)
	| ({ readonly outcome: 'webhook_url_not_allowed' } & TargetRefusal)
	| { readonly outcome: 'limit_reached' };
type Deps = SecretDeps & ForRequest<CreateWebhookEndpointResult> & { readonly sender: Pick<WebhookSender, 'check'> };

/** Creates an endpoint. Before that, the target of its URL has to pass the same check as before every attempt. */
export async function createWebhookEndpoint(
	input: CreateWebhookEndpointInput,
	deps: Deps,
): Promise<CreateWebhookEndpointResult> {
	const { workspace_id, description, events, made_by, made_with } = input;
	const target = await deps.sender.check(input.url);
	if (!target.allowed) return { ...target, outcome: 'webhook_url_not_allowed' };
	const nowMs = deps.clock.now();
	const id = deps.ids.next(nowMs);
	const owner = { workspace_id, id };
	const [signingSecret, sealedHeaders] = await Promise.all([
		makeSecret(owner, deps),
		sealHeaders(input.headers ?? null, owner, deps.vault),
	]);
	const maker = definedFields({ made_by, made_with });
	const fields = { ...owner, ...sealedHeaders, ...maker, url: target.url, description, events };
	const endpoint = newEndpoint(fields, signingSecret.sealed_secret, nowMs);
	return change(
		{
			read: () => readRoster(workspace_id, deps.store),
			decide: (roster) => {
				if (roster.count >= MAX_ENDPOINTS_PER_WORKSPACE) return { result: { outcome: 'limit_reached' } };
				const endpointWrite = {
					op: 'put',
					record: 'webhook_endpoint',
					item: endpoint,
					guard: { if: 'absent' },
				} as const;
				return {
					result: { outcome: 'created', endpoint, ...signingSecret },
					writes: { roster: changeRoster(roster, 1), endpoint: endpointWrite },
				};
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
