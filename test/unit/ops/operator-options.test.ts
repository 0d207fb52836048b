import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from '@jest/globals';
import { addSettings, settingsFromOptions } from '../../../ops/input/workspace-options.ts';
import { openState } from '../../../shared/domain/workspaces/business-hours.ts';
import type { BusinessHours } from '../../../shared/domain/workspaces/workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

// Tests the workspace settings that an operator can type, and their error messages.

const desk = frontDesk(memoryStore());
const read = (args: readonly string[], hours: BusinessHours | null = null) => {
	const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
	addSettings(command);
	command.parse(args, { from: 'user' });
	return settingsFromOptions(command.opts(), desk.workspace({}, { business_hours: hours }));
};

it.each([
	[['--caller-number', '+19005550100'], '--caller-number takes a number that costs no more than a usual call'],
	[['--caller-number', '+12129765010'], '--caller-number takes a number that costs no more than a usual call'],
	[['--caller-number', '+491805123456'], '--caller-number takes a number that costs no more than a usual call'],
	[['--covers-call-back', '__proto__'], '--covers-call-back takes one of '],
	[['--covers-call-back', 'constructor:no'], '--covers-call-back takes one of '],
	[['--covers-call-back', 'xx'], '--covers-call-back takes one of '],
])('an operator’s option %j is refused', (args, says) => {
	expect(() => read(args)).toThrow(says);
});

it.each([['+13125550101'], ['+18005550100'], ['none']])('the caller number may be %s', (number) => {
	expect(read(['--caller-number', number])).toMatchObject({ caller_number: number === 'none' ? null : number });
});

describe('settings of a workspace', () => {
	it('that are not given are unchanged', () => {
		expect(read([])).toEqual({ limits: {} });
	});

	it.each([
		[['--calls', 'off'], { calls_enabled: false }],
		[['--name', ' Shop '], { name: 'Shop' }],
		[['--region', 'DE'], { region: 'DE' }],
		[['--allowed-region', 'DE', '--allowed-region', 'AT'], { allowed_regions: ['DE', 'AT'] }],
		[['--origin', 'https://a.example', '--origin', 'http://localhost:3001'], undefined],
		[['--allow-prefix', '+1605475', '--allow-prefix', '+1212976'], { allowed_prefixes: ['+1605475', '+1212976'] }],
		[['--allow-prefix', 'none', '--refuse-prefix', '+1212'], { allowed_prefixes: [], refused_prefixes: ['+1212'] }],
		[['--team', '+12025550101'], { team: ['+12025550101'] }],
		[['--team', 'Ida Wells:+12025550101'], { team: ['Ida Wells:+12025550101'] }],
		[['--language', 'de'], { language: 'de' }],
		[['--ring-strategy', 'round_robin', '--ring-order', 'visitor_first'], undefined],
		[['--consent-text', 'Call me.'], { consent_text: 'Call me.' }],
		[['--consent-text', 'none'], { consent_text: 'I agree to be called at this number now.' }],
		[
			['--consent', 'de:lead:Ja: gern.', '--consent', 'de:call:none', '--consent', 'fr:call:Oui'],
			{ consent_texts: { de: { lead: 'Ja: gern.', call: null }, fr: { call: 'Oui' } } },
		],
		[['--consent', 'none'], { consent_texts: null }],
		[['--covers-call-back', 'de', '--covers-call-back', 'fr:no'], { covers_call_back: { de: true, fr: false } }],
		[
			['--privacy-link', 'de:https://shop.example/datenschutz', '--privacy-link', 'fr:none'],
			{ privacy_links: { de: 'https://shop.example/datenschutz', fr: null } },
		],
		[['--privacy-link', 'none'], { privacy_links: null }],
		[['--caller-number', '+13125550142'], { caller_number: '+13125550142' }],
		[['--accent', '#1C3D8F', '--greeting', 'Ask Ida'], { look: { accent: '#1c3d8f', greeting: 'Ask Ida' } }],
		[['--accent', 'none'], { look: { accent: null } }],
		[['--caller-number', 'none'], { caller_number: null }],
		[['--team-email', 'team@shop.example'], { team_email: 'team@shop.example' }],
		[['--team-email', 'none'], { team_email: null }],
		[['--paused-until', '2026-12-24T17:00:00Z'], { paused_until: '2026-12-24T17:00:00.000Z' }],
		[['--paused-until', '2026-12-24T17:00:00.5Z'], { paused_until: '2026-12-24T17:00:00.500Z' }],
		[['--paused-until', '2026-12-24T18:00:00+01:00'], { paused_until: '2026-12-24T17:00:00.000Z' }],
		[['--paused-until', 'none'], { paused_until: null }],
		[['--hours', 'always'], { business_hours: null }],
		[
			['--calls-per-number-per-day', '1', '--requests-per-address-per-window', '2'],
			{ limits: { calls_per_number_per_day: 1, requests_per_address_per_window: 2 } },
		],
		[
			['--requests-per-workspace-per-window', '3', '--calls-per-day', '0'],
			{ limits: { requests_per_workspace_per_window: 3, calls_per_day: 0 } },
		],
	])('are read from %j', (args, expected) => {
		if (expected !== undefined) expect(read(args)).toMatchObject(expected);
		else expect(Object.keys(read(args)).length).toBeGreaterThan(1);
	});

	it.each([
		[['--consent', 'sv:lead:Ja'], '--consent'],
		[['--covers-call-back', 'sv'], '--covers-call-back'],
		[['--covers-call-back', 'de:yes'], '--covers-call-back'],
		[['--privacy-link', 'xx:https://shop.example'], '--privacy-link'],
		[['--privacy-link', 'en:javascript:alert(1)'], '--privacy-link takes https addresses of at most 2048 characters'],
		[['--privacy-link', 'en:http://shop.example'], '--privacy-link takes https addresses of at most 2048 characters'],
		[['--privacy-link', 'en:https://ida:pw@shop.example'], '--privacy-link takes https addresses'],
		[['--privacy-link', `en:https://shop.example/${'x'.repeat(2048)}`], '--privacy-link takes https addresses'],
		[['--privacy-link', 'https://shop.example'], '--privacy-link takes <language>:<https address>'],
		[['--caller-number', '312 555 0142'], '--caller-number takes a number in international format'],
		[['--consent', 'Ja'], '--consent takes <language>:<call or lead>:<text>, such as "de:lead:Ich …", or none'],
		[['--calls', 'maybe'], "option '--calls <state>' argument 'maybe' is invalid. Allowed choices are on, off."],
		[
			['--language', 'sv'],
			"option '--language <code>' argument 'sv' is invalid. Allowed choices are en, de, es, fr, ar, it, nl, pt, pl, tr.",
		],
		[
			['--team', `${'I'.repeat(61)}:+12025550101`],
			'--team takes names of at most 60 characters, as in "Ida Wells:+13125550101"',
		],
		[['--region', 'usa'], '--region takes a region such as US (ISO 3166-1)'],
		[['--allowed-region', 'US', '--allowed-region', '1'], '--allowed-region takes a region such as US (ISO 3166-1)'],
		[['--origin', 'https://a.example/'], '--origin takes an exact origin such as https://shop.example, without a path'],
		[['--refuse-prefix', '1212'], '--refuse-prefix takes the beginning of numbers such as +1605475, or none'],
		[['--origin', '*'], '--origin takes an exact origin such as https://shop.example, without a path'],
		[['--ring-strategy', 'loud'], 'Allowed choices are simultaneous, sequential, round_robin.'],
		[['--ring-order', 'x'], 'Allowed choices are agent_first, visitor_first.'],
		[['--calls-per-day', '-1'], "option '--calls-per-day <n>' argument '-1' is invalid. It takes a whole number."],
		[['--calls-per-day', '1.5'], 'It takes a whole number.'],
		[['--calls-per-day', 'many'], 'It takes a whole number.'],
		[['--consent-text', ' '], '--consent-text takes a text'],
		[['--consent-text', 'x'.repeat(2001)], '--consent-text takes a text of at most 2000 characters'],
		[['--name', 'x'.repeat(101)], '--name takes a text of at most 100 characters'],
		[['--team-email', 'x'], '--team-email takes an e-mail address, or none'],
		[['--paused-until', '2026-12-24'], '--paused-until takes a time such as 2026-12-24T17:00:00Z, or none'],
		[['--paused-until', '9999-12-31T23:59:59-01:00'], '--paused-until takes a time such as 2026-12-24T17:00:00Z'],
		[['--holiday', '2026-12-25'], '--holiday needs --hours: the workspace is always open'],
		[['--time-zone', '+02:00'], '--time-zone takes a time zone such as Europe/Berlin'],
		[['--hours', 'weekdays 9-5'], '--hours takes openings such as "mon-fri 09:00-17:30", not "weekdays 9-5"'],
		[['--hours', '9:00'], '--hours takes openings such as "mon-fri 09:00-17:30", not "9:00"'],
		[['--hours', 'mon 09:00-25:00'], '--hours takes openings such as "mon-fri 09:00-17:30", not "mon 09:00-25:00"'],
		[['--hours', 'mon 09:60-10:00'], '--hours takes openings such as "mon-fri 09:00-17:30", not "mon 09:60-10:00"'],
		[['--hours', 'always', '--holiday', '2026-12-25'], '--holiday cannot be given with --hours always'],
		[['--hours', 'mon 09:00-10:00', '--time-zone', 'Berlin'], '--time-zone takes a time zone such as Europe/Berlin'],
		[
			['--hours', 'mon 09:00-10:00', '--time-zone', 'Europe/Berlin', '--holiday', '2026-02-30'],
			'--holiday takes a date such as 2026-12-25',
		],
	])('%j is refused with the reason', (args, words) => {
		expect(() => read(args)).toThrow(words);
	});
});

describe('business hours as an operator writes them', () => {
	const berlin = ['--time-zone', 'Europe/Berlin'];
	const open = (args: readonly string[], at: string, before: BusinessHours | null = null): boolean => {
		const { business_hours, time_zone = 'Europe/Berlin' } = read(args, before);
		if (business_hours === undefined) throw new Error('not set');
		return openState({ business_hours, time_zone }, Date.parse(at)).open;
	};

	it.each([
		// 2026-11-20 is a Friday. Berlin is one hour ahead of UTC.
		['mon-fri 09:00-17:30', '2026-11-20T08:00:00Z', true],
		['mon-fri 09:00-17:30', '2026-11-20T07:59:59Z', false],
		['mon-fri 09:00-17:30', '2026-11-20T16:29:59Z', true],
		['mon-fri 09:00-17:30', '2026-11-20T16:30:00Z', false],
		['mon-fri 09:00-17:30', '2026-11-21T10:00:00Z', false],
		['sat-mon 09:00-10:00', '2026-11-22T08:30:00Z', true],
		['sat-mon 09:00-10:00', '2026-11-24T08:30:00Z', false],
		['fri 22:00-02:00', '2026-11-21T00:30:00Z', true],
		['fri 22:00-02:00', '2026-11-21T01:30:00Z', false],
		['fri 00:00-24:00', '2026-11-20T22:59:59Z', true],
		['Fri 09:00-10:00', '2026-11-20T08:30:00Z', true],
		['mon-fri 9:00-17:30', '2026-11-20T08:00:00Z', true],
		['mon-fri 9-17', '2026-11-20T15:59:59Z', true],
		['mon-fri 9-17', '2026-11-20T16:00:00Z', false],
	])('of %s are open at %s: %s', (hours, at, expected) => {
		expect(open(['--hours', hours, ...berlin], at)).toBe(expected);
	});

	it('have holidays, which can be changed separately and removed', () => {
		const friday = '2026-11-20T10:00:00Z';
		const args = ['--hours', 'mon-fri 09:00-17:30', ...berlin];
		expect(open([...args, '--holiday', '2026-11-20'], friday)).toBe(false);
		const { business_hours: before = null } = read([...args, '--holiday', '2026-11-20', '--holiday', '2026-11-20']);
		expect(before?.holidays).toEqual(['2026-11-20']);
		expect(open(['--holiday', '2026-12-25'], friday, before)).toBe(true);
		expect(open(['--holiday', 'none'], friday, before)).toBe(true);
		expect(open(['--time-zone', 'America/New_York', '--holiday', 'none'], '2026-11-20T13:59:00Z', before)).toBe(false);
	});
});
