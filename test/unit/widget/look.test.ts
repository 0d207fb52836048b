import { describe, expect, it } from '@jest/globals';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

describe('the look of a shop’s widget', () => {
	it('is in the widget’s configuration; each part changes separately, and null restores the default', async () => {
		const store = memoryStore();
		const desk = frontDesk(store);
		const before = desk.workspace();
		await store.commit([put('workspace', before, always)]);
		const lookAfter = async (look: { readonly accent?: string | null; readonly greeting?: string | null }) => {
			await changeWorkspace(before.id, { look }, desk.deps);
			const workspace = (await store.get('workspace', { id: before.id })) ?? before;
			return (await widgetConfig(workspace, 'en', { ...desk.deps, guides: numberGuides, caller_number: null })).config
				.look;
		};
		expect(await lookAfter({})).toEqual({ accent: null, greeting: null });
		expect(await lookAfter({ accent: '#1c3d8f' })).toEqual({ accent: '#1c3d8f', greeting: null });
		expect(await lookAfter({ greeting: 'Ask Ida' })).toEqual({ accent: '#1c3d8f', greeting: 'Ask Ida' });
		expect(await lookAfter({ accent: null })).toEqual({ accent: null, greeting: 'Ask Ida' });
	});
});
