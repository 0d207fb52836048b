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

/**
 * A line of the gateway's access log. The line has no path and no URL, because the path of the status route contains the id
 * of a call, which is a secret.
 */
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
 * Functions with a longer time-out than the usual 10 s (the gateway gives up after 30 s). `test-webhook-endpoint` waits for a
 * customer's server, `recover-webhook-endpoint` reads pages of records, and a form of the desk (`change-developers`) can
 * request both.
 */
const LONGER_SECONDS: ReadonlyMap<ApiFunction, number> = new Map([
	['test-webhook-endpoint', 15],
	['recover-webhook-endpoint', 29],
	['change-developers', 29],
]);

/** For each kind of route, how its requests are authorised. The gateway has no authorizer for any route. */
const AUTHORISATION: Readonly<Record<Surface, string>> = {
	server: 'The function checks the API key and its permission before anything else.',
	widget: 'Public on purpose: the function checks the workspace key and the Origin.',
	provider: "The function checks the provider's signature over the request.",
	team: 'Public on purpose: the one-time token of the link authorises one use.',
	desk: 'Public on purpose: a link by mail begins a session, and the function checks its cookie.',
	public: 'Public on purpose: it documents the API.',
};
type HttpApiProps = {
	/**
	 * If there are more requests a second, the gateway answers 429. Our own limits are far lower, and their answers are
	 * problem documents.
	 */
	readonly requests_per_second: number;
	readonly log_retention: RetentionDays;
	/** A domain of the owner. Null if the API has only its own name. */
	readonly domain: OwnDomain | null;
};
type HandlerProps = {
	readonly name: ApiFunction;
	readonly description: string;
	readonly routeKeys: readonly string[];
	readonly authorisation: string;
};

/** The public API: every route of the table of routes, preflights, and an answer to all other requests. */
export class HttpApi extends Construct {
	readonly gateway: apigateway.HttpApi;
	/** Every function behind the gateway. */
	readonly functions: ServiceFunction[] = [];
	/** The functions that get the provider's callbacks about legs. */
	readonly callbackReceivers: ServiceFunction[] = [];
	/** The functions in which visitors use up a workspace's limits. These functions log when a limit is full. */
	readonly spending: ServiceFunction[] = [];
	/** A log with one line for each request. The log shows the route and the status, but no path and no address. */
	readonly accessLog: LogGroup;
	private readonly stage: apigateway.HttpStage;
	/**
	 * The address of the API, ending in /v1. The address is at the owner's domain or, if there is none, at the API's own
	 * name.
	 */
	readonly url: string;
	/** The owner's domain. Null if there is none. */
	readonly domain: apigateway.DomainName | null;
	/**
	 * The role with which the gateway invokes functions. Permissions on the functions themselves would be forty more
	 * resources.
	 */
	private readonly invoker: Role;
	private readonly invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });

	constructor(scope: Construct, id: string, props: HttpApiProps) {
		super(scope, id);
		// The gateway does not handle CORS. Our own code does, because the allowed origins are in the workspaces' records.
		this.gateway = new apigateway.HttpApi(this, 'Gateway', { apiName: Aws.STACK_NAME, createDefaultStage: false });
		this.accessLog = new LogGroup(this, 'AccessLogs', {
			// All log groups to which AWS services write share one resource policy of 5,120 characters for each account and
			// region. All groups with this prefix together need only one grant in that policy.
			logGroupName: `/aws/vendedlogs/apis/${Aws.STACK_NAME}`,
			retention: props.log_retention,
			removalPolicy: RemovalPolicy.DESTROY,
		});
		this.stage = new apigateway.HttpStage(this, 'Stage', {
			httpApi: this.gateway,
			stageName: '$default',
			autoDeploy: true,
			throttle: { rateLimit: props.requests_per_second, burstLimit: props.requests_per_second },
			// Metrics by route would cost 30 cents a month for each metric. The access log has the same data.
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
			// The stage is deployed again with each new route. If the stage and the routes were created at the same time,
			// CloudFormation would sometimes fail with a conflict. So the stage waits for the routes.
			this.stage.node.addDependency(route);
			acknowledge(route, { 'AwsSolutions-APIG4': authorisation });
		});
		return handler;
	}
}

/** The name of a route in the definition and in the log of the gateway. */
export const routeKey = (method: string, path: Route['path']): string => `${method} ${VERSION_PREFIX}${path}`;
