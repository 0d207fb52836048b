import type { LocalFunction } from '../lambda/functions.ts';
import { LocalError } from '../local-error.ts';
import type { All, Named } from '../template.ts';
import { type GatewayRoute, routesOf } from './gateway.ts';
import type { WebSocketApi } from './web-sockets.ts';

export type Split = { readonly http: readonly GatewayRoute[]; readonly web_socket: readonly WebSocketApi[] };

/** A WebSocket API names the operation that invokes the function; an HTTP API names the function itself. */
const INVOCATION = /^arn:aws:apigateway:[^:]+:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;

/** Separates the HTTP APIs' routes from the WebSocket APIs, of which only the `$connect` route is run on one machine. */
export function splitRoutes(all: All, functionByArn: (arn: string) => LocalFunction): Split {
	const routes = all('AWS::ApiGatewayV2::Route');
	const integrations = all('AWS::ApiGatewayV2::Integration');
	const sockets = all('AWS::ApiGatewayV2::Api').filter(({ properties }) => properties['ProtocolType'] === 'WEBSOCKET');
	const isOf = (api_id: string) => (resource: Named) => resource.properties['ApiId'] === api_id;
	const http = routes.filter((route) => !sockets.some(({ id }) => isOf(id)(route)));
	return {
		http: routesOf(http, integrations, functionByArn),
		web_socket: sockets.flatMap(({ id }) => {
			const own = routesOf(routes.filter(isOf(id)), integrations, (uri) => functionByArn(functionArn(uri)));
			return all('AWS::ApiGatewayV2::Stage')
				.filter(isOf(id))
				.map(({ properties }) => {
					return { api_id: id, stage: String(properties['StageName']), connect: connectOf(id, own) };
				});
		}),
	};
}

function functionArn(uri: string): string {
	const arn = INVOCATION.exec(uri)?.[1];
	if (arn === undefined) throw new LocalError(`${uri}: expected the ARN of a function's invocations`);
	return arn;
}

function connectOf(api_id: string, routes: readonly GatewayRoute[]): GatewayRoute['target'] {
	const other = routes.find(({ routeKey }) => routeKey !== '$connect');
	if (other !== undefined) throw new LocalError(`${api_id}: the route ${other.routeKey} is not run on one machine`);
	const connect = routes.find(({ routeKey }) => routeKey === '$connect');
	if (connect === undefined) throw new LocalError(`${api_id}: expected a $connect route`);
	return connect.target;
}
