import { describe, expect, it } from '@jest/globals';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { accepted, type Story, story, talking, waiting } from '../../support/calls/call-story.ts';

const asks = (told: Story, who: 'visitor' | number) => instructionFor(told.call(), told.legOf(who).id)?.instruct;

describe('a leg that asks what to do', () => {
	it('is asked for the key if it is a team member who has not pressed it, with what is known of the visitor', () => {
		const told = story();
		told.dialing(0, 0);
		told.tell(7, 0, 'answered');
		expect(instructionFor(told.call(), told.legOf(0).id)).toEqual({
			instruct: 'screen',
			say: { language: 'en', text: 'Press 1 to talk to a visitor, who asks for a call on shop.example.' },
			prompt_seconds: 8,
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
		both.tell(10, 1, 'accepted');
		expect([asks(both, 0), asks(both, 1)]).toEqual(['wait', 'hang_up']);
	});

	it('waits until the team has answered, if it is the visitor’s and was rung first', () => {
		const told = waiting();
		expect(asks(told, 'visitor')).toBe('wait');
		told.tell(10, 0, 'accepted', { answered: 8 });
		expect([asks(told, 0), asks(told, 'visitor')]).toEqual(['join', 'join']);
	});

	it('is not known to a call that does not have it', () => {
		expect(instructionFor(story().call(), 'another')).toBeNull();
	});
});
