import {
	ApiGatewayV2Client,
	GetApiCommand,
	GetApisCommand,
	GetIntegrationsCommand,
	GetRoutesCommand,
} from '@aws-sdk/client-apigatewayv2';
import {
	GetFunctionConfigurationCommand,
	InvokeCommand,
	LambdaClient,
	UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { matcher } from '../../../local/gateway/gateway.ts';
import type { InvokeResult } from '../../../local/lambda/functions.ts';

type Page<T> = { readonly Items?: T[] | undefined; readonly NextToken?: string | undefined };

async function everyItem<T>(page: (token: string | undefined) => Promise<Page<T>>): Promise<readonly T[]> {
	const items: T[] = [];
	let token: string | undefined;
	do {
		const { Items = [], NextToken } = await page(token);
		items.push(...Items);
		token = NextToken;
	} while (token !== undefined);
	return items;
}

type Environment = Readonly<Record<string, string>>;

const clientOptions = (env: Environment) => ({
	endpoint: env['AWS_ENDPOINT_URL'] ?? '',
	region: env['AWS_REGION'] ?? '',
	credentials: { accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '', secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '' },
});

/** The id and the host of the API with this name. */
export async function apiNamed(
	name: string,
	env: Environment,
): Promise<{ readonly id: string; readonly host: string }> {
	const gateway = new ApiGatewayV2Client(clientOptions(env));
	const { Items = [] } = await gateway.send(new GetApisCommand({}));
	gateway.destroy();
	const { ApiId: id = '', ApiEndpoint: endpoint = '' } = Items.find(({ Name }) => Name === name) ?? {};
	return { id, host: new URL(endpoint).hostname };
}

/** A deployed HTTP API, as the APIs of API Gateway and Lambda describe it. `env`: endpoint, region, credentials. */
export function deployedApi(ApiId: string, env: Environment) {
	const options = clientOptions(env);
	const gateway = new ApiGatewayV2Client(options);
	const lambda = new LambdaClient(options);

	async function invoke(FunctionName: string, event: unknown): Promise<InvokeResult> {
		const command = new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(event)) });
		const { FunctionError, Payload = new Uint8Array() } = await lambda.send(command);
		const text = Buffer.from(Payload).toString('utf8');
		return FunctionError === undefined
			? { invoked: 'ok', result: JSON.parse(text) }
			: { invoked: 'error', error: text };
	}

	/** The current routes by key, each with the ARN of its function. */
	async function functionsByRoute(): Promise<ReadonlyMap<string, string>> {
		const integrations = await everyItem((NextToken) => gateway.send(new GetIntegrationsCommand({ ApiId, NextToken })));
		const arns = new Map(integrations.map(({ IntegrationId, IntegrationUri = '' }) => [IntegrationId, IntegrationUri]));
		const routes = await everyItem((NextToken) => gateway.send(new GetRoutesCommand({ ApiId, NextToken })));
		return new Map(
			routes.map(({ RouteKey = '', Target = '' }) => [RouteKey, arns.get(Target.replace(/^integrations\//, '')) ?? '']),
		);
	}

	return {
		/** Whether the API has a CORS configuration, so that API Gateway answers preflight requests itself. */
		async answersPreflights(): Promise<boolean> {
			const { CorsConfiguration } = await gateway.send(new GetApiCommand({ ApiId }));
			return CorsConfiguration !== undefined;
		},
		/** Returns a function that finds the route of a request. Lambda then invokes the route's function. */
		async routes(): Promise<ReturnType<typeof matcher>> {
			const found = [...(await functionsByRoute())].map(([routeKey, arn]) => ({
				routeKey,
				target: { invoke: (event: unknown) => invoke(arn, event) },
			}));
			return matcher(found);
		},
		/** From now on, the function of `toRoute` runs with the role of `fromRoute`'s function. */
		async lendRole(fromRoute: string, toRoute: string): Promise<void> {
			const arns = await functionsByRoute();
			const of = (route: string) => new GetFunctionConfigurationCommand({ FunctionName: arns.get(route) });
			const [{ Role }, { FunctionArn, Timeout }] = await Promise.all([
				lambda.send(of(fromRoute)),
				lambda.send(of(toRoute)),
			]);
			// When the role changes, Lambda replaces a function's instances. The emulator does so only when the timeout changes.
			const changed = { Timeout: (Timeout ?? 0) + 1 };
			await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: FunctionArn, Role, ...changed }));
		},
		close(): void {
			gateway.destroy();
			lambda.destroy();
		},
	};
}

export type DeployedApi = ReturnType<typeof deployedApi>;
