import { expect, it } from '@jest/globals';
import { atRest, isMissed, offersLead, statusText } from '../../../packages/widget/request/model.ts';
import en from '../../../packages/widget/texts/en.json' with { type: 'json' };
import { type FailureReason, failureReasons } from '../../../shared/domain/calls/call.ts';

/** Reasons that mean nothing to a visitor. They have one common text. */
const GENERAL: readonly FailureReason[] = ['setup_timeout', 'provider_error', 'provider_rejected', 'canceled'];
/** Visitors cannot know the shop's rules. They read that no calls are possible now, and the widget offers a callback. */
const SAID_AS: Readonly<Partial<Record<FailureReason, string>>> = { no_agent_callable: en.calls_unavailable };
const texts = new Map<string, unknown>(Object.entries(en));

it.each(failureReasons)('a visitor whose call failed with %s reads the sentence for that reason', (reason) => {
	const model = { ...atRest(true, null), state: 'failed', step: 1, reason } as const;
	expect(statusText(model, en)).toBe(GENERAL.includes(reason) ? en.failed : (SAID_AS[reason] ?? texts.get(reason)));
});

it('a call for which the rules let no phone ring offers a callback, like a call that the team did not answer', () => {
	const reasons = ['no_agent_answer', 'no_agent_callable'] as const;
	for (const reason of reasons) {
		const model = { ...atRest(true, null), state: 'failed', step: 1, reason } as const;
		expect([reason, isMissed(model), offersLead(model)]).toEqual([reason, true, true]);
	}
});
