import {
	errorTypeRegistries,
	PostToConnection$,
	type PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { AwsRestJsonProtocol } from '@aws-sdk/core/protocols';
import type { PagesEnv } from '../../env.ts';
import type { Pages } from '../../ports/pages.ts';
import { awsClient } from './client/client.ts';
import { operation } from './client/operation.ts';

const postToConnection = operation<PostToConnectionCommand>(PostToConnection$);
/** One try: a page that was not reached polls. */
const TRY_MS = 1000;
/** The visitor has closed the page, or its connection has ended. */
const GONE = 'GoneException';

/** As the SDK's client is configured (its `runtimeConfig.shared`, which it does not export). */
const pagesProtocol = () =>
	new AwsRestJsonProtocol({ defaultNamespace: 'com.amazonaws.apigatewaymanagementapi', errorTypeRegistries });

/** Pages connected to the WebSocket API. Its management URL is the stage's, over https. */
export function gatewayPages(env: PagesEnv, onFailure: (code: string) => void): Pages {
	const { origin, pathname } = new URL(env.LIVE_URL.replace(/^ws/, 'http'));
	const endpoint = `${env.AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI ?? origin}${pathname}`;
	const aws = awsClient({ name: 'execute-api', endpoint, protocol: pagesProtocol() }, env);
	return {
		async show(ConnectionId, answer) {
			const Data = Buffer.from(JSON.stringify(answer));
			const result = await aws.send(postToConnection, { ConnectionId, Data }, TRY_MS);
			if (result.answer !== 'ok' && result.code !== GONE) onFailure(result.code);
		},
	};
}
