import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { Log } from '../ports/log.ts';

/** What the resource is known by, and what the template may read of it. */
export type Made = { readonly id: string; readonly attributes: Readonly<Record<string, string>> };

/** What CloudFormation takes for an answer ("Custom resource response objects"). */
type Outcome =
	| { readonly Status: 'SUCCESS'; readonly PhysicalResourceId: string; readonly Data: Made['attributes'] }
	| { readonly Status: 'FAILED'; readonly PhysicalResourceId: string; readonly Reason: string };
type Properties = Readonly<Record<string, unknown>>;

/** A minute in all: IAM takes its time to know a role that the same deployment made or changed. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A function that CloudFormation asks at a deployment. `make` is given the resource's properties when it is created or
 * changed, once more after a pause when AWS denies it access; what it throws fails the deployment with its message.
 * Removing the resource does nothing.
 */
export function customResource(
	{ info, error }: Log,
	make: (properties: Properties) => Promise<Made>,
	pause: (ms: number) => Promise<void> = sleep,
): (event: CloudFormationCustomResourceEvent) => Promise<void> {
	return async (event) => {
		const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
		const outcome = await answerFor(event, (properties) => patiently(() => make(properties), pause));
		const answer = { ...outcome, StackId, RequestId, LogicalResourceId };
		// Bytes, not text: a content type would not fit the signed URL.
		const { status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
		const note = outcome.Status === 'SUCCESS' ? info : error;
		note('answered', { status, outcome: outcome.Status.toLowerCase() });
		// Lambda asks again; CloudFormation would otherwise wait for an hour.
		if (status >= 300) throw new Error(`CloudFormation's response URL answered ${status}`);
	};
}

async function answerFor(
	event: CloudFormationCustomResourceEvent,
	make: (properties: Properties) => Promise<Made>,
): Promise<Outcome> {
	const known = 'PhysicalResourceId' in event ? event.PhysicalResourceId : event.LogicalResourceId;
	if (event.RequestType === 'Delete') return { Status: 'SUCCESS', PhysicalResourceId: known, Data: {} };
	try {
		const { id, attributes } = await make(event.ResourceProperties);
		return { Status: 'SUCCESS', PhysicalResourceId: id, Data: attributes };
	} catch (cause) {
		const Reason = cause instanceof Error ? cause.message : 'unknown';
		return { Status: 'FAILED', PhysicalResourceId: known, Reason };
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

/** The SDK's clients have AWS's code as the error's name, `AwsFailure` in its message. */
const isDenied = (cause: unknown): boolean =>
	cause instanceof Error && `${cause.name} ${cause.message}`.includes('AccessDenied');
