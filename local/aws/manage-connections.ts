import type { IncomingMessage } from 'node:http';
import { pathOf } from '../gateway/http-event.ts';
import type { Connections } from '../gateway/web-sockets.ts';
import { ACCOUNT, REGION } from '../template.ts';
import type { Act } from './roles.ts';

// The part of the API Gateway Management API that the product uses:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html

/** A response of the REST protocol; a header names the error. */
export type PostAnswer = {
	readonly status: number;
	readonly error_type: string | null;
	readonly message: string | null;
};
/** `POST /{stage}/@connections/{connection id}`: the action on which IAM decides, and what sends the message. */
export type Post = { readonly act: Act; send(body: Buffer): Promise<PostAnswer> };

const PATH = /^\/([^/]+)\/@connections\/([^/]+)$/;
/** API Gateway's quota for a message. */
const MAX_MESSAGE_BYTES = 128 * 1024;

const refused = (status: number, error_type: string, message: string | null): PostAnswer => {
	return { status, error_type, message };
};
export const forbidden = (message: string): PostAnswer => refused(403, 'ForbiddenException', message);

/**
 * The message that a request posts to a connection; null for any other request. `signed_for`: the service in the scope of
 * the request's signature.
 */
export function postOf(request: IncomingMessage, signed_for: string, connections: Connections): Post | null {
	const [, stage, connection_id] = PATH.exec(pathOf(request)) ?? [];
	if (request.method !== 'POST' || stage === undefined || connection_id === undefined) return null;
	// On AWS the host names the API; here its stage does.
	const api_id = connections.apiOf(stage);
	const resource = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api_id}/${stage}/POST/@connections/${connection_id}`;
	return {
		act: { action: 'execute-api:ManageConnections', resource, leading_keys: [] },
		async send(body) {
			// A request that is signed for another service has a wrong signature, which nothing here checks.
			if (signed_for !== 'execute-api')
				return forbidden("Credential should be scoped to correct service: 'execute-api'.");
			if (api_id === null) return forbidden('Forbidden');
			if (body.length > MAX_MESSAGE_BYTES) return refused(413, 'PayloadTooLargeException', 'Message too long');
			const isSent = await connections.post(stage, connection_id, body.toString('utf8'));
			return isSent ? { status: 200, error_type: null, message: null } : refused(410, 'GoneException', null);
		},
	};
}
