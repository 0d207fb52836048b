import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { log, publicKeys } from '../../shared/deps.ts';

const publicKey = publicKeys();
const { info, error } = log('number-public-key');

/** What CloudFormation takes for an answer ("Custom resource response objects"). */
type Outcome =
	| { readonly Status: 'SUCCESS'; readonly Data: Readonly<Record<string, string>> }
	| { readonly Status: 'FAILED'; readonly Reason: string };

async function work(event: CloudFormationCustomResourceEvent, key_id: string): Promise<Outcome> {
	if (event.RequestType === 'Delete') return { Status: 'SUCCESS', Data: {} };
	try {
		return { Status: 'SUCCESS', Data: { PublicKey: await publicKey(key_id) } };
	} catch (cause) {
		const Reason = cause instanceof Error ? cause.message : 'unknown';
		return { Status: 'FAILED', Reason };
	}
}

/** Asked by CloudFormation at a deployment: answers with the public half of the key `KeyId` as `PublicKey`. */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
	const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
	const key_id = String(event.ResourceProperties['KeyId']);
	const outcome = await work(event, key_id);
	const answer = { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId: key_id };
	// Bytes, not text: a content type would not fit the signed URL.
	const { status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
	const note = outcome.Status === 'SUCCESS' ? info : error;
	note('answered', { operation: 'number-public-key', status, outcome: outcome.Status.toLowerCase() });
	// Lambda asks again; CloudFormation would otherwise wait for an hour.
	if (status >= 300) throw new Error(`CloudFormation's response URL answered ${status}`);
};
