import { getCall } from '../../../shared/contract/calls/calls.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { asStored, getOne } from '../../../shared/http/edge/read.ts';

export const handler = getOne(getCall, edgeDeps, 'call', asStored, ({ is_test }) => !is_test);
