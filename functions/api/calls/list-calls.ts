import { listCalls } from '../../../shared/contract/calls/calls.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { hasStatusAndReference } from '../../../shared/http/edge/list-filters.ts';
import { asStored, listOwn } from '../../../shared/http/edge/read.ts';

export const handler = listOwn(
	listCalls,
	edgeDeps,
	'call',
	(call, query) => !call.is_test && hasStatusAndReference(call, query),
	asStored,
);
