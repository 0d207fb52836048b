import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { numberGuides } from '../../../shared/adapters/phone-metadata/number-guides.ts';
import { instructLeg, receiveLegCallback } from '../../../shared/contract/calls/telephony.ts';
import { watchCall } from '../../../shared/contract/visitors/watch-call.ts';
import { getCallRequestStatus, getWidgetConfig, requestCall } from '../../../shared/contract/visitors/widget.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import {
	forPollers,
	forVisitors,
	handle,
	handleChange,
	handleForAnyone,
	handleForProvider,
} from '../../../shared/http/handle.ts';
import { preflightHeaders } from '../../../shared/http/headers/cors.ts';
import { fromHandshake } from '../../../shared/http/visitors/handshake.ts';
import { consume } from '../../../shared/messages/consume.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import type { FirstDeliveryMessage } from '../../../shared/ports/registry.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { hearProvider } from '../../../shared/use-cases/calls/apply-leg-fact.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { hangUpLeg } from '../../../shared/use-cases/calls/hang-up-leg.ts';
import { requestStatus } from '../../../shared/use-cases/calls/request-status.ts';
import { tellOfDisabled } from '../../../shared/use-cases/leads/endpoint-notice.ts';
import {
	requestCall as placeRequest,
	type RequestCallResult,
} from '../../../shared/use-cases/visitors/request-call.ts';
import { watchCall as noteWatch } from '../../../shared/use-cases/visitors/watch-call.ts';
import { widgetConfig } from '../../../shared/use-cases/visitors/widget-config.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt/attempt-delivery.ts';
import { endpointCache } from '../../../shared/use-cases/webhooks/attempt/endpoint-cache.ts';
import { samples } from '../../conformance/store/records.ts';
import type { Callbacks } from './metered-provider.ts';
import type { MeteredWorld } from './metered-world.ts';

// The product's functions over a metered world: what each file of functions/ does, with the deps of that world.

const [ORIGIN = ''] = samples.workspace.origins;
const { workspace_key } = samples.workspace;
const LIVE_URL = 'wss://live.example/live';
const PREFLIGHT = { operation: 'preflight', method: 'OPTIONS', path: requestCall.path } as const;

/** A request as the gateway hands it over. */
function event(path: string, given: Partial<APIGatewayProxyEventV2> = {}): APIGatewayProxyEventV2 {
	return {
		...{ version: '2.0', routeKey: '', rawPath: `/v1${path}`, rawQueryString: '', isBase64Encoded: false },
		headers: { origin: ORIGIN, 'content-type': 'application/json', 'idempotency-key': 'one-visitor' },
		requestContext: {
			...{ accountId: '0', apiId: 'a', routeKey: '', stage: '$default', requestId: 'JKJaXmPLvHcESHA=' },
			...{ domainName: 'api.example', domainPrefix: 'api', time: '', timeEpoch: 0 },
			http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'browser' },
		},
		...given,
	};
}

/** The widget's requests: what a visitor's browser asks, each through the edge as its function does. */
export function widget({ deps, passed, opened }: MeteredWorld) {
	const standing = (call: Call) => {
		return {
			data: {
				id: call.id,
				status: call.status,
				poll_after_ms: pollInterval(call, { now_ms: deps.clock.now(), speed: 1 }),
			},
		};
	};
	const preflight = handleForAnyone('preflight', deps, async () => {
		await deps.store.anyWorkspaceAllows(ORIGIN);
		return { statusCode: 204, headers: preflightHeaders(ORIGIN) };
	});
	const config = handle(forVisitors, getWidgetConfig, {
		deps: () => deps,
		run: async ({ caller: { workspace }, query }) => {
			const { config } = widgetConfig(workspace, query.language, {
				...deps,
				guides: numberGuides,
				caller_number: null,
			});
			return { answer: { data: config } };
		},
	});
	const create = handleChange(forVisitors, requestCall, {
		deps: () => deps,
		answer: (result: RequestCallResult) => {
			if (result.outcome === 'refused') throw new Error(JSON.stringify(result));
			return { answer: standing(result.call) };
		},
		run: ({ body, caller }, given) => placeRequest({ ...body, ...caller, name: body.name ?? null }, given),
	});
	const status = handle(forPollers, getCallRequestStatus, {
		deps: () => deps,
		run: async ({ caller: { call } }) => ({
			answer: { data: requestStatus(call, { now_ms: deps.clock.now(), speed: 1 }, LIVE_URL) },
		}),
	});
	const watch = fromHandshake(
		handle(forPollers, watchCall, {
			deps: () => deps,
			run: async ({ params: { id, connection_id } }) => {
				const { outcome } = await noteWatch({ call_id: id, connection_id }, deps);
				if (outcome !== 'watching') throw new Error(outcome);
				return { answer: {} };
			},
		}),
	);
	const wish = { workspace_key, phone: '+12025550101', name: 'Grace Hopper', consent: true };
	const body = JSON.stringify({ ...wish, page_url: `${ORIGIN}/products/1234?utm_source=mail` });
	type Told = { readonly id: string; readonly poll_after_ms: number | null; readonly live_url?: string | null };
	const dataOf = (text: string | undefined): Told => JSON.parse(text ?? '').data;
	return {
		async open(): Promise<void> {
			const asked = event(getWidgetConfig.path, { queryStringParameters: { workspace_key } });
			passed(getWidgetConfig.operation, getWidgetConfig)(await config(asked, {}));
			passed(PREFLIGHT.operation, PREFLIGHT)(await preflight(event(requestCall.path), {}));
		},
		request: async () =>
			dataOf(passed(requestCall.operation, requestCall)(await create(event(requestCall.path, { body }), {})).body),
		async poll(id: string) {
			const asked = event(getCallRequestStatus.path.replace('{id}', id), { pathParameters: { id } });
			return dataOf(passed(getCallRequestStatus.operation, getCallRequestStatus)(await status(asked, {})).body);
		},
		/** Opens the WebSocket of the page. */
		async watch(id: string): Promise<void> {
			const requestContext = { connectionId: 'L0SM9cOFvHcCIhw=', requestId: 'r', identity: { sourceIp: '192.0.2.1' } };
			await watch({ headers: { Origin: ORIGIN }, queryStringParameters: { id }, requestContext }, {});
			opened();
		},
	};
}

/** The provider's requests, of the one call. */
export function callbacks(
	{ deps, passed }: MeteredWorld,
	call_id: () => string,
	telephony: () => Telephony,
): Callbacks {
	const own = { deps: () => ({ ...deps, telephony: telephony() }) };
	const request = (leg_id: string, fact: LegFact) => {
		const pathParameters = { call_id: call_id(), leg_id: `${leg_id}.mac` };
		return event(`/telephony/${call_id()}/${leg_id}.mac/status`, { pathParameters, body: JSON.stringify(fact) });
	};
	return {
		async status(leg_id, fact) {
			const heard = handleForProvider(receiveLegCallback, {
				...own,
				run: async ({ at, fact: told }) => {
					if (told !== null) await hearProvider(at, told, deps);
					return { response: { statusCode: 204, headers: {} } };
				},
			});
			passed(receiveLegCallback.operation, receiveLegCallback)(await heard(request(leg_id, fact), {}));
		},
		async instruct(leg_id, fact) {
			const told = handleForProvider(instructLeg, {
				...own,
				run: async ({ at, path, fact: said }) => {
					const call = said === null ? null : await hearProvider(at, said, deps);
					const instruction = call === null ? null : instructionFor(call, at.leg_id);
					if (instruction === null) throw new Error('the leg is told nothing');
					const { body } = telephony().render(instruction, { call_id: at.call_id, path });
					return { response: { statusCode: 200, headers: {}, body } };
				},
			});
			const answer = passed(instructLeg.operation, instructLeg)(await told(request(leg_id, fact), {}));
			return JSON.parse(answer.body ?? 'null');
		},
	};
}

/** The workers, each over its own messages. */
export function workers({ deps }: MeteredWorld, telephony: Telephony) {
	const own = { ...deps, telephony };
	const delivering = { ...deps, endpoints: endpointCache(deps), whenDisabled: tellOfDisabled };
	const deliver = (message: FirstDeliveryMessage) => attemptDelivery(message, delivering);
	const quiet = 'of failures';
	return {
		'dial-legs': consume('dial-leg', messageSchemas['dial-legs'], deps.log, (m) => dialLeg(m, own)),
		'hang-up-legs': consume('hang-up-leg', messageSchemas['hang-up-legs'], deps.log, (m) => hangUpLeg(m, own)),
		'call-timers': consume('call-timer', messageSchemas['call-timers'], deps.log, (m) => checkDeadlines(m, own), quiet),
		deliveries: consume('deliver-webhook', messageSchemas.deliveries, deps.log, deliver, quiet),
		retries: consume('deliver-webhook', messageSchemas.retries, deps.log, deliver, quiet),
	};
}
