import { expect, it } from '@jest/globals';
import { updateLead } from '../../../shared/use-cases/leads/update-lead.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const NOW = '2026-11-22T10:00:00.000Z';

async function storedLead() {
	const store = memoryStore();
	const lead = samples.callback_lead;
	await store.commit([put('callback_lead', lead)]);
	const update = (status: 'pending' | 'handled' | 'dismissed', workspace_id = WORKSPACE, id = lead.id) =>
		updateLead({ workspace_id, id, status }, { store, clock: { now: () => Date.parse(NOW) } });
	return { lead, update, stored: () => store.get('callback_lead', { id: lead.id }) };
}

it('the status of a lead changes under its next version, and a repeated change changes nothing', async () => {
	const { lead, update, stored } = await storedLead();
	const handled = { ...lead, version: lead.version + 1, status: 'handled', updated_at: NOW };
	for (let n = 0; n < 2; n += 1) {
		expect(await update('handled')).toEqual({ outcome: 'updated', lead: handled });
		expect(await stored()).toEqual(handled);
	}
});

it('the lead of another workspace is not found, like a lead that does not exist', async () => {
	const { lead, update, stored } = await storedLead();
	expect(await update('handled', idOf(99))).toEqual({ outcome: 'not_found' });
	expect(await update('handled', WORKSPACE, idOf(99))).toEqual({ outcome: 'not_found' });
	expect(await stored()).toEqual(lead);
});
