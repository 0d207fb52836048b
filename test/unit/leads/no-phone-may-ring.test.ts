import { describe, expect, it } from '@jest/globals';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { missedCallsMail } from '../../../shared/presentation/missed-calls-mail.ts';
import { textsIn } from '../../../shared/presentation/team-texts.ts';

// Tests the texts about a call for which the shop's rules allowed no phone to ring. They must not blame a member whose phone did
// not ring.

describe('the mail about missed calls', () => {
	const call = (failure_reason: 'no_agent_answer' | 'no_agent_callable', rung: readonly string[]) => ({
		id: 'c',
		visitor_name: 'Ada',
		visitor_phone_masked: '+1********23',
		source_url: 'https://shop.example/',
		created_at: '2026-11-28T10:00:00.000Z',
		failure_reason,
		rung,
	});
	const mailOf = (language: (typeof languages)[number], calls: readonly ReturnType<typeof call>[]) =>
		missedCallsMail({
			to: 'team@shop.example',
			workspace_name: 'Shop',
			locale: { language, time_zone: 'UTC' },
			calls,
			more: 0,
			desk_url: null,
		}).text;

	it.each(languages)(
		'says why no phone rang instead of naming who was rung, and does not blame the team: %s',
		(language) => {
			const { missed } = textsIn(language);
			const text = mailOf(language, [call('no_agent_callable', [])]);
			expect(text).toContain(missed.headline_no_phone);
			expect(text).toContain(missed.no_phone);
			expect(text).not.toContain(`${missed.headline}.`);
		},
	);

	it('says that no phone rang only of the call for which none rang; for another call that the team missed, it says who was rung', () => {
		const { missed } = textsIn('en');
		const text = mailOf('en', [call('no_agent_answer', ['Ida']), call('no_agent_callable', [])]);
		expect(text).toContain(`${missed.headline}.`);
		expect(text).toContain(`${missed.rung}: Ida`);
		expect(text).toContain(`${missed.rung}: ${missed.no_phone}`);
	});
});
