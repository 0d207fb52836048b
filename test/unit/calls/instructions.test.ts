import { describe, expect, it } from '@jest/globals';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { ownerOf } from '../../../shared/domain/calls/leg-owner.ts';
import { allowedUsage, erasedUsage, suppressedUsage } from '../../../shared/domain/calls/number-usage.ts';
import { spokenPrompt } from '../../../shared/domain/calls/spoken-prompt.ts';
import { samples } from '../../conformance/store/records.ts';
import { accepted, type Story, story, talking } from '../../support/calls/call-story.ts';

const asks = (told: Story, who: 'visitor' | number) => instructionFor(told.call(), told.legOf(who).id)?.instruct;

describe('a leg that asks what to do', () => {
	it('is asked for the key if it is a team member who has not pressed it, with what is known of the visitor', () => {
		const told = story();
		told.dialing(0, 0);
		told.tell(7, 0, 'answered');
		const { visitor_name, source_url } = told.call();
		expect(instructionFor(told.call(), told.legOf(0).id)).toEqual({
			...{ instruct: 'screen', visitor_name, source_url, prompt_seconds: 8 },
		});
	});

	it('waits until the other side has answered, and is joined then', () => {
		const told = accepted();
		expect(asks(told, 0)).toBe('wait');
		told.tell(20, 'visitor', 'answered');
		expect([asks(told, 0), asks(told, 'visitor')]).toEqual(['join', 'join']);
	});

	it('is hung up after the end of the call or of its own leg, if we asked for that, and if another member was quicker', () => {
		const canceled = talking();
		canceled.cancel(30);
		expect([asks(canceled, 0), asks(canceled, 'visitor')]).toEqual(['hang_up', 'hang_up']);
		const gone = accepted();
		gone.end(15, 0, 'completed');
		expect(asks(gone, 0)).toBe('hang_up');
		const both = story({ team: 2, strategy: 'simultaneous' });
		for (const member of [0, 1]) {
			both.dialing(0, member);
			both.tell(7, member, 'answered');
		}
		both.tell(9, 0, 'accepted');
		expect([asks(both, 0), asks(both, 1)]).toEqual(['wait', 'hang_up']);
	});

	it('is not known to a call that does not have it', () => {
		expect(instructionFor(story().call(), 'another')).toBeNull();
	});
});

it('a leg rings the number of its member, of the call, or of the lead that the call answers', () => {
	const call = { id: 'c', workspace_id: 'w' };
	expect(ownerOf(call, { member: 1 })).toBe('team#w#1');
	expect(ownerOf(call, { member: null })).toBe('call#c');
	expect(ownerOf({ ...call, lead_id: 'l' }, { member: null })).toBe('lead#l');
});

describe('a suppressed number', () => {
	const NOW = Date.parse('2026-11-21T10:00:00Z');
	const DAY_S = 86_400;
	const usage = { ...samples.number_usage, version: 4, suppressed: false };
	const unused = { number_hash: 'hash', live_call_id: null, day: '', day_count: 0 };

	it('stays suppressed for ever, used or not', () => {
		expect(suppressedUsage(usage, 'hash')).toEqual({
			...usage,
			version: 5,
			suppressed: true,
			expires_at_epoch_s: null,
		});
		expect(suppressedUsage(null, 'hash')).toEqual({
			...unused,
			version: 1,
			suppressed: true,
			expires_at_epoch_s: null,
		});
	});

	it('keeps its limits when it is allowed again, until the end of the next day', () => {
		const expires_at_epoch_s = Date.parse('2026-11-22T00:00:00Z') / 1000 + DAY_S;
		expect(allowedUsage(usage, 'hash', NOW)).toEqual({ ...usage, version: 5, suppressed: false, expires_at_epoch_s });
		expect(allowedUsage(null, 'hash', NOW)).toEqual({ ...unused, version: 1, suppressed: false, expires_at_epoch_s });
	});

	it('keeps nothing but that when its person is erased', () => {
		expect(erasedUsage(usage)).toEqual({
			...{ ...unused, number_hash: usage.number_hash, version: 5 },
			...{ suppressed: true, expires_at_epoch_s: null },
		});
	});
});

it('the prompt says who asks on which page, without the rest of its URL', () => {
	const said = (visitor_name: string | null, source_url: string) => spokenPrompt({ visitor_name, source_url });
	expect(said(null, 'http://shop.example/a/?b#c')).toBe(
		'Press 1 to talk to a visitor, who asks for a call on shop.example/a.',
	);
	expect(said('  Ada  \n Lovelace ', 'app:https://shop.example')).toBe(
		'Press 1 to talk to Ada Lovelace, who asks for a call on the website.',
	);
});
