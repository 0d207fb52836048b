import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { Log } from '../ports/log.ts';

export type CustomResource = { readonly id: string; readonly attributes: Readonly<Record<string, string>> };

/** The format of responses to CloudFormation ("Custom resource response objects"). */
type Outcome =
	| { readonly Status: 'SUCCESS'; readonly PhysicalResourceId: string; readonly Data: CustomResource['attributes'] }
	| { readonly Status: 'FAILED'; readonly PhysicalResourceId: string; readonly Reason: string };
type Properties = Readonly<Record<string, unknown>>;

/**
 * The pauses before the retries, a minute in all. A role that this deployment has created or changed may not work at once,
 * because IAM passes changes on slowly.
 */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Makes a function that CloudFormation calls during a deployment. When the resource is created or changed, the function
 * calls `make` with the resource's properties, and calls it again after pauses if AWS denies access. When the resource is
 * deleted, the function calls `remove`, which by default does nothing. If `make` or `remove` throws, the deployment fails
 * with the message of the error.
 */
export function customResource(
	{ info, error }: Log,
	make: (properties: Properties) => Promise<CustomResource>,
	pause: (ms: number) => Promise<void> = sleep,
	remove: (properties: Properties) => Promise<void> = async () => {},
): (event: CloudFormationCustomResourceEvent) => Promise<void> {
	return async (event) => {
		const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
		const outcome = await answerFor(event, (properties) => patiently(() => make(properties), pause), remove);
		const answer = { ...outcome, StackId, RequestId, LogicalResourceId };
		// Send bytes, because `fetch` adds a content type to a text, and a request with a content type does not match the
		// signed URL.
		const { status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
		const note = outcome.Status === 'SUCCESS' ? info : error;
		note('answered', { status, outcome: outcome.Status.toLowerCase() });
		// Throw, so that Lambda retries. Otherwise CloudFormation would wait for an hour.
		if (status >= 300) throw new Error(`CloudFormation's response URL answered ${status}`);
	};
}

async function answerFor(
	event: CloudFormationCustomResourceEvent,
	make: (properties: Properties) => Promise<CustomResource>,
	remove: (properties: Properties) => Promise<void>,
): Promise<Outcome> {
	const physicalId = 'PhysicalResourceId' in event ? event.PhysicalResourceId : event.LogicalResourceId;
	try {
		if (event.RequestType === 'Delete') {
			await remove(event.ResourceProperties);
			return { Status: 'SUCCESS', PhysicalResourceId: physicalId, Data: {} };
		}
		const { id, attributes } = await make(event.ResourceProperties);
		return { Status: 'SUCCESS', PhysicalResourceId: id, Data: attributes };
	} catch (cause) {
		const Reason = cause instanceof Error ? cause.message : 'unknown';
		return { Status: 'FAILED', PhysicalResourceId: physicalId, Reason };
	}
}

async function patiently<T>(make: () => Promise<T>, pause: (ms: number) => Promise<void>): Promise<T> {
	for (const ms of PAUSES_MS) {
		try {
			return await make();
		} catch (cause) {
			if (!isDenied(cause)) throw cause;
			await pause(ms);
		}
	}
	return make();
}

/** The clients of the SDK put AWS's code into the error's name. `AwsFailure` puts the code into the error's message. */
const isDenied = (cause: unknown): boolean =>
	cause instanceof Error && `${cause.name} ${cause.message}`.includes('AccessDenied');
