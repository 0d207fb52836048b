import { expect, it } from '@jest/globals';
import { atRest, statusText } from '../../../packages/widget/request/model.ts';
import en from '../../../packages/widget/texts/en.json' with { type: 'json' };
import { type FailureReason, failureReasons } from '../../../shared/domain/calls/call.ts';

/** Reasons that mean nothing to a visitor. */
const GENERAL: readonly FailureReason[] = ['setup_timeout', 'provider_error', 'provider_rejected', 'canceled'];
const texts = new Map<string, unknown>(Object.entries(en));

it.each(failureReasons)('a visitor whose call failed by %s reads the sentence for it', (reason) => {
	const model = { ...atRest(true, null), state: 'failed', step: 1, reason } as const;
	expect(statusText(model, en)).toBe(GENERAL.includes(reason) ? en.failed : texts.get(reason));
});
