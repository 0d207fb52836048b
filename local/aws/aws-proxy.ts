import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { MAX_DELAY_SECONDS } from '../../shared/ports/queues.ts';
import { close, listen, pathsOnly, readBody } from '../http-server.ts';
import { ACCOUNT, REGION } from '../template.ts';
import type { LocalKms } from './kms.ts';
import type { MailResponse } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { type AwsAction, dynamoActs, isAllowed, type Role, readingsOf } from './roles.ts';
import { type Connection, lineTo, type StandIn } from './stand-in.ts';
import { suppressionRequest } from './suppression-list.ts';

// This proxy stands between the functions and the stand-ins for AWS. The proxy passes on only the requests that the
// caller's role allows. So if the template lacks a permission, the AccessDeniedException appears on this machine, and not
// for the first time in production.

export type ProxyOptions = {
	readonly dynamodb: StandIn;
	readonly sqs: StandIn;
	readonly kms: LocalKms;
	readonly mailbox: Mailbox;
	/** The role of each access key id. `null` is the operator, who may do everything. */
	readonly roleOf: (accessKeyId: string) => Role | null | undefined;
	/** Called with every request of a role, whether it is allowed or not. */
	readonly onAct?: ((role: Role, act: AwsAction) => void) | undefined;
	/**
	 * Called after the response to each request of a role. If this function is set, the responses of DynamoDB also say how
	 * much capacity each request used.
	 */
	readonly used?: Used | undefined;
};
export type Used = (role: Role, operation: string, input: object, response: Buffer | null) => void;
export type AwsProxy = { readonly url: string; close(): Promise<void> };

type Json = Readonly<Record<string, unknown>>;
type Service = 'dynamodb' | 'sqs' | 'kms' | 'ses';

const TARGETS: Readonly<Record<string, Service>> = {
	DynamoDB_20120810: 'dynamodb',
	AmazonSQS: 'sqs',
	TrentService: 'kms',
};
/** SES uses a REST protocol, so the method and the path name the operation. */
const SEND_EMAIL = 'POST /v2/email/outbound-emails';
const tableArn = (name: string): string => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;

function actsOf(service: Service, operation: string, input: Json, { mailbox }: ProxyOptions): readonly AwsAction[] {
	switch (service) {
		case 'dynamodb':
			return readingsOf(operation).flatMap((reading) => dynamoActs(operation, input, tableArn, reading));
		case 'sqs': {
			const queue = String(input['QueueUrl']).split('/').at(-1) ?? '';
			const action = operation.replace(/Batch$/, '');
			return [{ action: `sqs:${action}`, resource: `arn:aws:sqs:${REGION}:${ACCOUNT}:${queue}`, leading_keys: [] }];
		}
		case 'kms': {
			const key = String(input['KeyId']).split('/').at(-1) ?? '';
			return [
				{ action: `kms:${operation}`, resource: `arn:aws:kms:${REGION}:${ACCOUNT}:key/${key}`, leading_keys: [] },
			];
		}
		case 'ses': {
			// The account's suppression list has no ARN of its own.
			if (operation !== 'SendEmail') return [{ action: `ses:${operation}`, resource: '*', leading_keys: [] }];
			// In its sandbox, SES also checks the permission for the identity of the recipient.
			const { sender, recipients } = mailbox.addressesOf(input);
			return [sender, ...recipients].map((address) => {
				const resource = `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${address}`;
				return { action: `ses:${operation}`, resource, leading_keys: [], sender };
			});
		}
	}
}

/**
 * An error in AWS's format. For DynamoDB, the type of the error has a namespace. For the other services, the type has no
 * namespace.
 */
function accessDenied(service: Service, role: Role, act: AwsAction): Json {
	const type = service === 'dynamodb' ? 'com.amazon.coral.service#AccessDeniedException' : 'AccessDeniedException';
	const message = deniedMessage(role, act);
	return { __type: type, message, Message: message };
}

function deniedMessage({ name }: Role, { action, resource }: AwsAction): string {
	const who = `arn:aws:sts::${ACCOUNT}:assumed-role/${name}/local`;
	return `User: ${who} is not authorized to perform: ${action} on resource: ${resource}`;
}

function writeJson(response: ServerResponse, status: number, body: Json): void {
	response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}

/** The proxy's answer if a stand-in does not answer. At AWS, a load balancer would then answer, in a format of its own. */
function respondAsBalancer(response: ServerResponse): void {
	const page = '<html><body><h1>503 Service Unavailable</h1></body></html>';
	response.writeHead(503, { 'content-type': 'text/html' }).end(page);
}

const DELAYS = z.object({
	DelaySeconds: z.optional(z.number()),
	Entries: z.optional(z.array(z.object({ DelaySeconds: z.optional(z.number()) }))),
});

/** Whether SQS would refuse a message because its delay is negative or too long. The stand-in accepts any delay. */
function delaysTooLong(input: Json): boolean {
	const { DelaySeconds, Entries = [] } = DELAYS.safeParse(input).data ?? {};
	const delays = [DelaySeconds, ...Entries.map((entry) => entry.DelaySeconds)];
	return delays.some((seconds = 0) => seconds < 0 || seconds > MAX_DELAY_SECONDS);
}

/** Starts the proxy on a free local port. */
export async function startAwsProxy(options: ProxyOptions): Promise<AwsProxy> {
	const lines: Lines = { dynamodb: lineTo(options.dynamodb), sqs: lineTo(options.sqs) };
	const server = createServer(
		pathsOnly((request, response) => {
			serve(request, response, options, lines).catch(() => {
				if (!response.headersSent) respondAsBalancer(response);
			});
		}),
	);
	const port = await listen(server, 0, '127.0.0.1');
	const stop = () => Promise.all([close(server), lines.dynamodb.close(), lines.sqs.close()]);
	return { url: `http://127.0.0.1:${port}`, close: () => stop().then(() => undefined) };
}

function askedOf(request: IncomingMessage): { readonly service: Service | undefined; readonly operation: string } {
	if (`${request.method} ${request.url}` === SEND_EMAIL) return { service: 'ses', operation: 'SendEmail' };
	const suppression = suppressionRequest(request.method, request.url);
	if (suppression !== null) return { service: 'ses', operation: suppression.operation };
	const [target = '', operation = ''] = String(request.headers['x-amz-target']).split('.');
	return { service: TARGETS[target], operation };
}

function writeMail(response: ServerResponse, { status, error_type, body }: MailResponse): void {
	const headers = {
		'content-type': 'application/json',
		// The format of SES: the name of the error, and a URL that means nothing.
		...(error_type !== null && {
			'x-amzn-errortype': `${error_type}:http://internal.amazon.com/coral/com.amazonaws.ses/`,
		}),
	};
	response.writeHead(status, headers).end(JSON.stringify(body));
}

function respondToMail({ method, url }: IncomingMessage, input: Json, { send, suppressions }: Mailbox): MailResponse {
	const suppression = suppressionRequest(method, url);
	return suppression === null ? send(input) : suppressions.respond(suppression);
}

function refusalOf(role: Role, acts: readonly AwsAction[], onAct: ProxyOptions['onAct']): AwsAction | null {
	for (const act of acts) onAct?.(role, act);
	return acts.find((act) => !isAllowed(role, act)) ?? null;
}

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	options: ProxyOptions,
	lines: Lines,
): Promise<void> {
	const credential = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '');
	const [, access_key_id = ''] = credential ?? [];
	const role = options.roleOf(access_key_id);
	const body = await readBody(request);
	if (body === null) return writeJson(response, 413, { __type: 'RequestEntityTooLargeException' });
	if (role === undefined) return writeJson(response, 400, { __type: 'UnrecognizedClientException' });
	await serveOperation({ request, response, role, body }, options, lines);
}

type ProxyRequest = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly role: Role | null;
	readonly body: Buffer;
};

async function serveOperation(
	{ request, response, role, body }: ProxyRequest,
	options: ProxyOptions,
	lines: Lines,
): Promise<void> {
	const { service, operation } = askedOf(request);
	if (service === undefined) return writeJson(response, 400, { __type: 'UnknownOperationException' });
	const input: Json = JSON.parse(body.toString('utf8') || '{}');
	const refusal = role === null ? null : refusalOf(role, actsOf(service, operation, input, options), options.onAct);
	if (role !== null && refusal !== null) {
		const body = accessDenied(service, role, refusal);
		if (service === 'ses') return writeMail(response, { status: 403, error_type: 'AccessDeniedException', body });
		return writeJson(response, 400, body);
	}
	const count = (answer: Buffer | null): void => {
		if (role !== null) options.used?.(role, operation, input, answer);
	};
	if (service !== 'dynamodb') count(null);
	if (service === 'ses') return writeMail(response, respondToMail(request, input, options.mailbox));
	if (service === 'kms') {
		const { status, body } = options.kms.respond(operation, input);
		return writeJson(response, status, body);
	}
	if (service === 'sqs' && delaysTooLong(input)) {
		const message = `DelaySeconds must be >= 0 and <= ${MAX_DELAY_SECONDS}.`;
		return writeJson(response, 400, { __type: 'com.amazonaws.sqs#InvalidParameterValue', message });
	}
	if (service === 'dynamodb') {
		const counted = { ...input, ReturnConsumedCapacity: 'TOTAL' };
		const content = options.used === undefined ? body : Buffer.from(JSON.stringify(counted));
		return count(await pass(request, content, response, service, lines));
	}
	await pass(request, body, response, service, lines);
}

type Lines = Readonly<Record<'dynamodb' | 'sqs', Connection>>;

async function pass(
	request: IncomingMessage,
	content: Buffer,
	response: ServerResponse,
	service: keyof Lines,
	lines: Lines,
): Promise<Buffer> {
	// All requests get the same access key, because DynamoDB Local keeps a separate database for each key.
	const authorization = request.headers.authorization?.replace(/Credential=[^/]+\//, 'Credential=local/');
	const { status, headers, body } = await lines[service].post(
		{ ...request.headers, host: undefined, authorization },
		content,
	);
	// The stand-in sends an empty object as an empty response. SQS sends no body in that case.
	const text = service === 'sqs' && body.toString() === '{}' ? '' : body;
	response.writeHead(status, { ...headers, 'content-length': text.length }).end(text);
	return body;
}
