import { listCalls } from '../../../shared/contract/calls/calls.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { asStored, hasStatusAndReference, listOwn } from '../../../shared/http/edge/read.ts';

export const handler = listOwn(
	listCalls,
	edgeDeps,
	'call',
	(call, query) => !call.is_test && hasStatusAndReference(call, query),
	asStored,
);
