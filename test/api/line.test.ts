import { expect, it } from '@jest/globals';
import type { RingLogEntry } from '../../local/phone-network/ring-log.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';

// The sentences that people hear on the phone, read from the log of the simulated phones.

const ORIGIN = 'https://line.example';

const { stack, ops } = operatedStack();

it.each([
	['de', '+12025550101', '+4930901820', ['Drücken Sie die 1, um mit Ada zu sprechen.', 'Einen Moment, bitte.']],
	['fr', '+12025550110', null, ['Appuyez sur 1 pour parler à Ada.', 'Un instant, s’il vous plaît.']],
	['it', '+12125550110', null, ['Prema 1 per parlare con Ada.', 'Un attimo, per favore.']],
	['nl', '+13105550110', null, ['Druk op 1 om met Ada te spreken.', 'Een ogenblik, alstublieft.']],
	['pt', '+14155550110', null, ['Pressione 1 para falar com Ada,', 'Um momento, por favor.']],
	['pl', '+16175550110', null, ['Naciśnij 1, aby porozmawiać: Ada prosi', 'Proszę chwilę poczekać.']],
	['tr', '+13035550110', null, ['Ada ile görüşmek için 1 tuşuna basın.', 'Lütfen bir dakika bekleyin.']],
	['ar', '+12025550117', '+97142170000', ['اضغط 1 للتحدث إلى سارة', 'لحظة من فضلك.']],
] as const)(
	'a call in a workspace whose language is %s speaks that language, and both phones show the number of the workspace',
	async (language, phone, caller_number, sentences) => {
		const team = ['+13125550101'];
		const made = await createWorkspace(
			{ name: 'Line', region: 'US', time_zone: 'America/New_York', origins: [ORIGIN], team, language, caller_number },
			ops,
		);
		if ('refused' in made) throw new Error(made.refused);
		const site = { workspace_key: made.workspace.workspace_key, allowed_origin: ORIGIN };
		const body = visitorBody(site, { phone, name: language === 'ar' ? 'سارة' : 'Ada' });
		const placed = await call(stack.base_url, '/widget/call-requests', { headers: { origin: ORIGIN }, body });
		expect(placed.status).toBe(202);
		const heard = await eventually('the member has heard both sentences', async () => {
			const log = (await fromConsole(stack, '/phones')) as readonly RingLogEntry[];
			const said = log.filter(({ what, call_id }) => what === 'hears' && call_id === placed.json.data.id);
			return said.length < 2 ? null : said;
		});
		expect(heard.map(({ role }) => role)).toEqual(['agent', 'agent']);
		const both = await eventually('both phones rang', async () => {
			const log = (await fromConsole(stack, '/phones')) as readonly RingLogEntry[];
			const rang = log.filter(({ what, call_id }) => what === 'ringing' && call_id === placed.json.data.id);
			return rang.length < 2 ? null : rang;
		});
		expect(both.map(({ role, from }) => [role, from])).toEqual([
			['agent', caller_number],
			['visitor', caller_number],
		]);
		const asked = `/widget/config?workspace_key=${site.workspace_key}`;
		const config = await call(stack.base_url, asked, { headers: { origin: ORIGIN } });
		expect(config.json.data.caller_number).toBe(caller_number ?? '+13125550100');
		expect(heard.map((entry) => entry.heard?.language)).toEqual([language, language]);
		for (const [position, sentence] of sentences.entries()) expect(heard[position]?.heard?.text).toContain(sentence);
	},
);
