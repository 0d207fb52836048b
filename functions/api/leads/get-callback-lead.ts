import { getCallbackLead } from '../../../shared/contract/leads/callback-leads.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { asStored, getOne } from '../../../shared/http/edge/read.ts';

export const handler = getOne(getCallbackLead, edgeDeps, 'callback_lead', asStored);
