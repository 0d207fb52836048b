import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { methodsOfRoute, type Route, type Surface, VERSION_PREFIX } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { ApiFunction } from '../function-roles.ts';
import type { OwnDomain } from '../properties.ts';
import { API_MEMORY_MB } from '../workers.ts';
import { acknowledge } from './acknowledge.ts';
import { type Platform, serviceFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/** The gateway's log line. Without path and address, because a call's id is a secret on the status route. */
const ACCESS_LOG = {
	request_id: '$context.requestId',
	route: '$context.routeKey',
	status: '$context.status',
	response_bytes: '$context.responseLength',
	latency_ms: '$context.responseLatency',
	integration_latency_ms: '$context.integrationLatency',
	integration_error: '$context.integrationErrorMessage',
};

/**
 * Time-outs above the usual 10 s (the gateway gives up after 30 s): a test waits for a customer's server, and a recovery
 * reads pages of records; a form of the desk asks for either.
 */
const LONGER_SECONDS: ReadonlyMap<ApiFunction, number> = new Map([
	['test-webhook-endpoint', 15],
	['recover-webhook-endpoint', 29],
	['change-developers', 29],
]);

/** Why a route has no gateway authorizer: what authorises its requests instead. */
const AUTHORISATION: Readonly<Record<Surface, string>> = {
	server: 'The function checks the API key and its permission before anything else.',
	widget: 'Public on purpose: the function checks the workspace key and the Origin.',
	provider: "The function checks the provider's signature over the request.",
	team: 'Public on purpose: the one-time token of the link authorises one use.',
	desk: 'Public on purpose: a link by mail begins a session, and the function checks its cookie.',
	public: 'Public on purpose: it documents the API.',
};
type HttpApiProps = {
	/** The gateway answers 429 to more. Our own limits are far lower and answer with problem documents. */
	readonly requests_per_second: number;
	readonly log_retention: RetentionDays;
	/** Your own domain; null: the API's own name. */
	readonly domain: OwnDomain | null;
};
type HandlerProps = {
	readonly name: ApiFunction;
	readonly description: string;
	readonly routeKeys: readonly string[];
	readonly authorisation: string;
};

/** The public API: every route of the route table, its preflights, and an answer for everything else. */
export class HttpApi extends Construct {
	readonly gateway: apigateway.HttpApi;
	/** Every function behind the gateway. */
	readonly functions: ServiceFunction[] = [];
	/** The functions that get the provider's callbacks about legs. */
	readonly callbackReceivers: ServiceFunction[] = [];
	/** The functions that spend a workspace's limits for visitors, and log it when one is full. */
	readonly spending: ServiceFunction[] = [];
	/** One line for each request, with its route and status but no path and no address. */
	readonly accessLog: LogGroup;
	private readonly stage: apigateway.HttpStage;
	/** Its address, ending in /v1: that of the domain, or the API's own. */
	readonly url: string;
	/** Your own domain; null without one. */
	readonly domain: apigateway.DomainName | null;
	/** The role with which the gateway invokes functions. A permission on each function would be forty more resources. */
	private readonly invoker: Role;
	private readonly invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });

	constructor(scope: Construct, id: string, props: HttpApiProps) {
		super(scope, id);
		// Our own code handles CORS, because the workspaces' records hold the allowed origins.
		this.gateway = new apigateway.HttpApi(this, 'Gateway', { apiName: Aws.STACK_NAME, createDefaultStage: false });
		this.accessLog = new LogGroup(this, 'AccessLogs', {
			// All log groups that AWS services write to share one resource policy of 5,120 characters for each account and
			// region. One grant covers every group with this prefix.
			logGroupName: `/aws/vendedlogs/apis/${Aws.STACK_NAME}`,
			retention: props.log_retention,
			removalPolicy: RemovalPolicy.DESTROY,
		});
		this.stage = new apigateway.HttpStage(this, 'Stage', {
			httpApi: this.gateway,
			stageName: '$default',
			autoDeploy: true,
			throttle: { rateLimit: props.requests_per_second, burstLimit: props.requests_per_second },
			// Metrics for each route would cost 30 cents a month each; the access log has the same data.
			detailedMetricsEnabled: false,
			accessLogSettings: {
				destination: new apigateway.LogGroupLogDestination(this.accessLog),
				format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
			},
		});
		this.invoker = new Role(this, 'Invoker', {
			assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
			inlinePolicies: { access: new PolicyDocument({ statements: [this.invoke] }) },
		});
		const { domain } = props;
		this.domain = domain && this.serveAt(domain);
		this.url = Fn.join('', [domain ? `https://${domain.name}` : this.gateway.apiEndpoint, VERSION_PREFIX]);
	}

	serve(platform: Platform): void {
		for (const route of routes) {
			const { operation: name, summary: description, surface, path } = route;
			const routeKeys = methodsOfRoute(route).map((method) => routeKey(method, path));
			const handler = this.add(platform, { name, description, routeKeys, authorisation: AUTHORISATION[surface] });
			if (surface === 'provider') this.callbackReceivers.push(handler);
			if (name === 'request-call' || name === 'create-callback-lead') this.spending.push(handler);
		}
		const widgetPaths = new Set(routes.filter(({ surface }) => surface === 'widget').map(({ path }) => path));
		this.add(platform, {
			name: 'preflight',
			description: 'May this site use the widget routes?',
			routeKeys: [...widgetPaths].map((path) => routeKey('OPTIONS', path)),
			authorisation: 'A preflight has no credentials. The response says only whether its Origin is allowed.',
		});
		this.add(platform, {
			name: 'fallback',
			description: 'Unknown paths and methods',
			routeKeys: ['$default'],
			authorisation: 'Answers 404 or 405 and reads nothing.',
		});
	}

	private serveAt({ name, certificate }: OwnDomain): apigateway.DomainName {
		const securityPolicy = apigateway.SecurityPolicy.TLS_1_2;
		const domainName = new apigateway.DomainName(this, 'Domain', { domainName: name, certificate, securityPolicy });
		new apigateway.ApiMapping(this, 'Mapping', { api: this.gateway, domainName, stage: this.stage });
		return domainName;
	}

	private add(platform: Platform, { name, description, routeKeys, authorisation }: HandlerProps): ServiceFunction {
		const timeout_seconds = LONGER_SECONDS.get(name) ?? 10;
		const facts = { description, timeout_seconds, memory_mb: API_MEMORY_MB };
		const handler = serviceFunction(this, name, platform, facts);
		this.functions.push(handler);
		const { functionArn } = handler.lambda;
		this.invoke.addResources(functionArn);
		const { apiId } = this.gateway;
		const integration = new apigateway.CfnIntegration(handler, 'Integration', {
			apiId,
			integrationType: 'AWS_PROXY',
			integrationUri: functionArn,
			credentialsArn: this.invoker.roleArn,
			payloadFormatVersion: '2.0',
		});
		const target = `integrations/${integration.ref}`;
		routeKeys.forEach((key, position) => {
			const id = position === 0 ? 'Route' : `Route${position + 1}`;
			const route = new apigateway.CfnRoute(handler, id, { apiId, routeKey: key, target, authorizationType: 'NONE' });
			// Each new route makes the stage deploy itself. If CloudFormation creates the stage together with the routes, it
			// sometimes fails with a conflict.
			this.stage.node.addDependency(route);
			acknowledge(route, { 'AwsSolutions-APIG4': authorisation });
		});
		return handler;
	}
}

/** A route's name in the gateway's definition and log. */
export const routeKey = (method: string, path: Route['path']): string => `${method} ${VERSION_PREFIX}${path}`;
