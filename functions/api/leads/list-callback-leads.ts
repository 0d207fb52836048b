import { listCallbackLeads } from '../../../shared/contract/leads/callback-leads.ts';
import { listDeps } from '../../../shared/deps.ts';
import { asStored, hasStatus, listOwn } from '../../../shared/http/read.ts';

export const handler = listOwn(listCallbackLeads, listDeps, 'callback_lead', hasStatus, asStored);
