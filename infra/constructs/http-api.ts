import { Aws, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
	HttpApi as Gateway,
	HttpMethod,
	HttpRoute,
	HttpRouteKey,
	HttpStage,
	LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { methodsOfRoute, type Route, type Surface, VERSION_PREFIX } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { ACCESS_LOG } from '../access-log.ts';
import type { ApiFunction } from '../function-access.ts';
import { API_MEMORY_MB } from '../workers.ts';
import { type Platform, serviceFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * Time-outs above the usual 10 s (the gateway gives up after 30 s): a test waits for a customer's server, and a recovery
 * reads pages of records; a form of the desk asks for either.
 */
const LONGER_SECONDS: ReadonlyMap<ApiFunction, number> = new Map([
	['test-webhook-endpoint', 15],
	['recover-webhook-endpoint', 29],
	['change-developers', 29],
]);

/** Why no route has a gateway authorizer: the part that authorises instead. */
const AUTHORISATION: Readonly<Record<Surface, string>> = {
	server: 'The function checks the API key and its permission before anything else.',
	widget: 'Public on purpose: the function checks the workspace key and the Origin.',
	provider: "The function checks the provider's signature over the request.",
	team: 'Public on purpose: the one-time token of the link authorises one use.',
	desk: 'Public on purpose: a link by mail begins a session, and the function checks its cookie.',
	public: 'Public on purpose: it documents the API.',
};
type Answer = {
	readonly name: ApiFunction;
	readonly description: string;
	readonly routeKeys: readonly HttpRouteKey[];
	readonly authorisation: string;
};

/** The public API: every route of the route table, its preflights, and an answer for everything else. */
export class HttpApi extends Construct {
	readonly gateway: Gateway;
	readonly functions: ServiceFunction[] = [];
	/** One line for each request, with its route and status but no path and no address. */
	readonly accessLog: LogGroup;
	private readonly stage: HttpStage;
	/** The API's own address, ending in /v1. */
	readonly url: string;

	/** `requests_per_second`: the gateway answers 429 to more. Our own limits are far lower and answer with problem documents. */
	constructor(scope: Construct, id: string, { requests_per_second }: { readonly requests_per_second: number }) {
		super(scope, id);
		// Our own code handles CORS, because the workspaces' records hold the allowed origins.
		this.gateway = new Gateway(this, 'Gateway', { apiName: 'call-back', createDefaultStage: false });
		this.url = Fn.join('', [this.gateway.apiEndpoint, VERSION_PREFIX]);
		this.accessLog = new LogGroup(this, 'AccessLogs', {
			// All log groups that AWS services write to share one resource policy of 5,120 characters for each account and
			// region. One grant covers every group with this prefix.
			logGroupName: `/aws/vendedlogs/apis/${Aws.STACK_NAME}`,
			retention: RetentionDays.THREE_MONTHS,
			removalPolicy: RemovalPolicy.DESTROY,
		});
		this.stage = new HttpStage(this, 'Stage', {
			httpApi: this.gateway,
			stageName: '$default',
			autoDeploy: true,
			throttle: { rateLimit: requests_per_second, burstLimit: requests_per_second },
			// Metrics for each route would cost 30 cents a month each; the access log has the same data.
			detailedMetricsEnabled: false,
			accessLogSettings: {
				destination: new LogGroupLogDestination(this.accessLog),
				format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
			},
		});
	}

	/** Adds the functions, one for each route. */
	serve(platform: Platform): void {
		for (const route of routes) {
			const routeKeys = methodsOfRoute(route).map((method) => HttpRouteKey.with(pathOf(route), HttpMethod[method]));
			const { operation: name, summary: description } = route;
			this.answer(platform, { name, description, routeKeys, authorisation: AUTHORISATION[route.surface] });
		}
		const widgetPaths = new Set(routes.filter((route) => route.surface === 'widget').map(pathOf));
		this.answer(platform, {
			name: 'preflight',
			description: 'May this site use the widget routes?',
			routeKeys: [...widgetPaths].map((path) => HttpRouteKey.with(path, HttpMethod.OPTIONS)),
			authorisation: 'A preflight has no credentials. The response says only whether its Origin is allowed.',
		});
		this.answer(platform, {
			name: 'fallback',
			description: 'Unknown paths and methods',
			routeKeys: [HttpRouteKey.DEFAULT],
			authorisation: 'Answers 404 or 405 and reads nothing.',
		});
	}

	/** The functions of a surface's routes. */
	functionsOf(surface: Surface): readonly ServiceFunction[] {
		const names: ReadonlySet<string> = new Set(
			routes.filter((route) => route.surface === surface).map(({ operation }) => operation),
		);
		return this.functions.filter(({ name }) => names.has(name));
	}

	private answer(platform: Platform, { name, description, routeKeys, authorisation }: Answer): void {
		const timeout_seconds = LONGER_SECONDS.get(name) ?? 10;
		const routeFunction = serviceFunction(this, name, platform, {
			description,
			timeout_seconds,
			memory_mb: API_MEMORY_MB,
		});
		this.functions.push(routeFunction);
		const integration = new HttpLambdaIntegration('Integration', routeFunction.lambda);
		routeKeys.forEach((routeKey, position) => {
			const id = position === 0 ? 'Route' : `Route${position + 1}`;
			const route = new HttpRoute(routeFunction, id, { httpApi: this.gateway, routeKey, integration });
			// Each new route makes the stage deploy itself. If CloudFormation creates the stage together with the routes, it
			// sometimes fails with a conflict.
			this.stage.node.addDependency(route);
			Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: authorisation });
		});
	}
}

const pathOf = (route: Route): string => VERSION_PREFIX + route.path;
