import { describe, expect, it } from '@jest/globals';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { peoplePage } from '../../../shared/http/desk/people/people-page.ts';
import { teamPage } from '../../../shared/http/desk/team/team-page.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');
const CLOSES = 'This closes the shop: no one else is rung.';
const away = '2026-11-23T00:00:00.000Z';
const ida = { id: 'm1', name: 'Ida', phone_masked: '+1********01' };
const jonas = { id: 'm2', name: 'Jonas', phone_masked: '+1********02' };

const viewWith = (changes: Partial<Workspace>) => {
	const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' } as const;
	const workspace: Workspace = { ...samples.workspace, desk: [person], ...changes };
	return viewOf({ workspace, person, secret: new Uint8Array(32) } as never, NOW_MS);
};
/** The actions whose button first opens a question, each with the text of the question. */
const questionsIn = (markup: string): readonly (readonly [string, string])[] =>
	[
		...markup.matchAll(
			/<details><summary>[^<]*<\/summary>\s*<p class="soft">(.*?)<\/p>\s*<form.*?name="action" value="(\w+)"/gs,
		),
	].map(([, says = '', action = '']) => [action, says.replace(/<[^>]+>/g, '')]);
const asked = (team: Workspace['team']) => questionsIn(teamPage(viewWith({ team }), { caller_number: null }).markup);
const NUMBER = 'Calls won’t ring this phone any more, and its number is deleted.';

describe('the desk asks for a confirmation once', () => {
	it('before a member is removed', () => {
		expect(asked([ida, jonas])).toEqual([
			['member_removed', NUMBER],
			['member_removed', NUMBER],
		]);
	});

	it('and says first that the shop closes, if the last member who is rung is removed or switched off', () => {
		expect(asked([ida, { ...jonas, off_until: away }])).toEqual([
			['member_off', `${CLOSES} `],
			// This form switches the member off until a date.
			['member_off', `${CLOSES} `],
			['member_removed', `${CLOSES} ${NUMBER}`],
			['member_removed', NUMBER],
		]);
	});

	it('before a person is removed from the desk, and before all sessions end', async () => {
		const deps = { store: memoryStore(), clock: { now: () => NOW_MS } };
		const { markup } = await peoplePage(viewWith({}), deps);
		expect(questionsIn(markup).map(([action]) => action)).toEqual(['person_removed', 'sessions_ended']);
	});
});
