import { listCalls } from '../../../shared/contract/calls/calls.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { asStored, hasStatus, listOwn } from '../../../shared/http/read.ts';

export const handler = listOwn(listCalls, edgeDeps, 'call', hasStatus, asStored);
