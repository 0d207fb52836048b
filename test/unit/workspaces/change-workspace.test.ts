import { describe, expect, it } from '@jest/globals';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

describe('a changed workspace', () => {
	async function made() {
		const here = frontDesk(memoryStore());
		const workspace = here.workspace({}, { origins: ['https://a.example', 'https://b.example'], team_email: null });
		await here.deps.store.commit([
			put('workspace', workspace),
			...workspace.origins.map((origin) => {
				const item = { origin, workspace_id: workspace.id };
				return put('allowed_origin', item);
			}),
		]);
		return { ...here, workspace };
	}

	it('accepts its new origins in preflights, and refuses the removed origins', async () => {
		const { deps, workspace } = await made();
		await changeWorkspace(workspace.id, { origins: ['https://b.example', 'https://c.example'] }, deps);
		const asked = ['https://a.example', 'https://b.example', 'https://c.example'];
		const allowed = await Promise.all(asked.map((origin) => deps.store.anyWorkspaceAllows(origin)));
		expect(allowed).toEqual([false, true, true]);
	});

	it('stores a repeated origin once', async () => {
		const { deps, workspace } = await made();
		await changeWorkspace(workspace.id, { origins: ['https://c.example', 'https://c.example'] }, deps);
		expect(await deps.store.anyWorkspaceAllows('https://c.example')).toBe(true);
	});

	it('stores its team sealed, whether it grew or shrank', async () => {
		const { deps, workspace } = await made();
		const sealed = (id: string) => deps.store.get('team_number', { owner: `team#${workspace.id}#${id}` });
		const three = ['+12025550101', '+1 (202) 555-0102', '+12025550103'];
		const grown = await changeWorkspace(workspace.id, { team: three }, deps);
		expect('workspace' in grown && grown.workspace.team.map(({ phone_masked }) => phone_masked)).toEqual([
			'+1********01',
			'+1********02',
			'+1********03',
		]);
		expect(JSON.stringify([await sealed('m2'), await sealed('m4')])).not.toContain('555010');
		await changeWorkspace(workspace.id, { team: ['+12025550104'] }, deps);
		const left = await Promise.all(['m1', 'm2', 'm3', 'm4', 'm5'].map(sealed));
		expect(left).toEqual([null, null, null, null, expect.anything()]);
		expect(await changeWorkspace(workspace.id, { team: ['+120255501'] }, deps)).toEqual({
			refused: 'team_number_invalid',
		});
	});

	it('stores its members’ names, and only the mask of their numbers', async () => {
		const { deps, workspace } = await made();
		const changed = await changeWorkspace(
			workspace.id,
			{ team: ['Ida Wells: +1 202 555 0101', 'Jo\u202e: B:+12025550102', '+12025550103'], language: 'de' },
			deps,
		);
		expect(changed).toMatchObject({ workspace: { language: 'de' } });
		expect('workspace' in changed && changed.workspace.team).toEqual([
			{ id: 'm2', name: 'Ida Wells', phone_masked: '+1********01' },
			{ id: 'm3', name: 'Jo: B', phone_masked: '+1********02' },
			{ id: 'm4', phone_masked: '+1********03' },
		]);
	});

	it('loses no change when two operators change it at once', async () => {
		const { deps, workspace } = await made();
		const { id } = workspace;
		await Promise.all([
			changeWorkspace(id, { calls_enabled: false }, deps),
			changeWorkspace(id, { consent_text: 'Call me.' }, deps),
			changeWorkspace(id, { limits: { calls_per_day: 7 } }, deps),
		]);
		const after = await deps.store.get('workspace', { id });
		expect(after).toMatchObject({ calls_enabled: false, consent_text: 'Call me.', limits: { calls_per_day: 7 } });
	});
});

it('only regions with a numbering plan can be allowed', () => {
	expect(['US', 'DE', 'JM', 'XX', 'us', '001'].map((region) => phoneNumbers.hasRegion(region))).toEqual([
		true,
		true,
		true,
		false,
		false,
		false,
	]);
});
