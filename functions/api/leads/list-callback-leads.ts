import { listCallbackLeads } from '../../../shared/contract/leads/callback-leads.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { hasStatusAndReference, statusParts } from '../../../shared/http/edge/list-filters.ts';
import { asStored, listOwn } from '../../../shared/http/edge/read.ts';

export const handler = listOwn(
	listCallbackLeads,
	edgeDeps,
	'callback_lead',
	hasStatusAndReference,
	asStored,
	({ status }) => statusParts('callback_lead', status),
);
