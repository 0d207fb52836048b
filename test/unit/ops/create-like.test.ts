import { expect, it } from '@jest/globals';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';

// An operator creates a department with the settings of another workspace.

const store = memoryStore();
const { deps } = frontDesk(store);
const all: Workspace[] = [];
const ops = operatorAt({
	...deps,
	mail_sender: null,
	public_base_url: 'https://api.example/v1',
	telephony: { provider: 'none', settings: '{}', readSecret: async () => '' },
	workspaces: async function* () {
		yield { workspaces: all, read: all.length };
	},
});

async function made(...args: readonly string[]): Promise<Workspace> {
	const { code, out, err } = await ops('workspace', 'create', ...args);
	if (code !== 0) throw new Error(err);
	const workspace = await store.get('workspace', { id: JSON.parse(out).id });
	if (workspace === null) throw new Error('not stored');
	all.push(workspace);
	return workspace;
}
const SALES = [
	...['--name', 'Sales', '--region', 'DE', '--origin', 'https://shop.example', '--origin', 'https://www.shop.example'],
	...['--allowed-region', 'AT', '--refuse-prefix', '+49900', '--language', 'en', '--team', 'Ida Wells:+4930123456'],
	...['--hours', 'mon-fri 09:00-17:00', '--accent', '#1c3d8f', '--greeting', 'Ask Ida'],
	...['--consent', 'de:call:Ruft mich an.', '--covers-call-back', 'de', '--consent', 'en:lead:Call me back.'],
	...['--privacy-link', 'de:https://shop.example/datenschutz', '--team-email', 'sales@shop.example'],
	...['--calls-per-day', '7', '--caller-number', '+4930654321'],
];

it('workspace create --like copies sites, look, texts, links, language, regions and zone, and no people, hours, numbers and limits', async () => {
	const sales = await made(...SALES);
	const support = await made('--like', 'sales', '--name', 'Support');
	const { origins, look, consent_text, consent_texts, call_back_texts, privacy_links } = sales;
	const { language, region, time_zone, allowed_regions, refused_prefixes } = sales;
	expect(support).toMatchObject({
		...{ origins, look, consent_text, consent_texts, call_back_texts, privacy_links },
		...{ language, region, time_zone, allowed_regions, refused_prefixes },
		...{ name: 'Support', team: [], business_hours: null, team_email: null, limits: {}, caller_number: null, desk: [] },
	});
	expect(call_back_texts).toHaveLength(1);
	expect(support.workspace_key).not.toBe(sales.workspace_key);
	expect((await store.get('workspace_key', { workspace_key: support.workspace_key }))?.workspace_id).toBe(support.id);
	for (const origin of origins)
		expect([origin, await store.get('allowed_origin', { origin, workspace_id: support.id })]).not.toEqual([
			origin,
			null,
		]);
});

it('workspace create --like takes other options, too; a region among them brings its own time zone and is allowed to be called', async () => {
	const sales = all[0] ?? (await made(...SALES));
	const wien = await made('--like', sales.id, '--name', 'Wien', '--region', 'AT', '--accent', 'none');
	expect(wien).toMatchObject({ region: 'AT', time_zone: 'Europe/Vienna', allowed_regions: ['AT', 'DE'] });
	expect(wien.look).toEqual({ accent: null, greeting: 'Ask Ida' });
	expect(wien.privacy_links).toEqual(sales.privacy_links);
});

it.each([
	[['--like', 'Nobody', '--name', 'x'], 'no workspace has the id or the name "Nobody"'],
	[['--like', '01K9ZZZZZZZZZZZZZZZZZZZZZZ', '--name', 'x'], 'no workspace has this id'],
	[['--like', 'Sales'], '--name is required'],
	[['--name', 'x'], '--region or --like'],
])('workspace create refuses %j', async (args, words) => {
	const { code, err } = await ops('workspace', 'create', ...args);
	expect([code === 0, err]).toEqual([false, expect.stringContaining(words)]);
});
