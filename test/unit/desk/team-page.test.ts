import { expect, it } from '@jest/globals';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { teamPage } from '../../../shared/http/desk/team/team-page.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { samples } from '../../support/sample-records.ts';

const DEPLOYED = '+13125550100';
const OWN = '+14155550142';

it.each(languages)(
	'Team names the number that members should save: the shop’s own, or that of the deployment (%s)',
	(language) => {
		const noteWith = (own: string | null, caller_number: string | null) => {
			const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' } as const;
			const team = [{ id: 'm1', name: 'Ida', phone_masked: '+1********01' }];
			const workspace: Workspace = { ...samples.workspace, language, team, caller_number: own, desk: [person] };
			const view = viewOf({ workspace, person, secret: new Uint8Array(32) } as never, 0);
			const [before = ''] = deskTextsIn(language).save_contact.split('{0}');
			const { markup } = teamPage(view, { caller_number });
			return markup.slice(markup.indexOf(before) + before.length).split('</p>')[0] ?? '';
		};
		const [, after] = deskTextsIn(language).save_contact.split('{0}');
		expect(noteWith(null, DEPLOYED)).toBe(` (<bdi dir="ltr">${DEPLOYED}</bdi>)${after}`);
		expect(noteWith(OWN, DEPLOYED)).toBe(` (<bdi dir="ltr">${OWN}</bdi>)${after}`);
		expect(noteWith(null, null)).toBe(after);
	},
);
