import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { workspaceKeyOf } from '../../../packages/widget/workspace-key.ts';
import { WidgetConfigQuery } from '../../../shared/contract/widget/widget.ts';

const keyOf = (written: string) => workspaceKeyOf({ getAttribute: () => written });

it.each([' wk_1', 'wk_1 ', '\ufeffwk_1\r\n', '\u00a0wk_1\t'])(
	'reads a workspace key that was pasted with spaces: %j',
	(key) => {
		expect(WidgetConfigQuery.parse({ workspace_key: key })).toEqual({ workspace_key: 'wk_1' });
	},
);

it('refuses a workspace key of spaces alone', () => {
	expect(WidgetConfigQuery.safeParse({ workspace_key: '  ' }).success).toBe(false);
});

it('reads every key that a workspace can have as it stands, and as it was pasted', () => {
	const bytes = fc.uint8Array({ minLength: 18, maxLength: 18 });
	const around = fc.stringMatching(/^["'“”\s\u200b\ufeff]{0,3}$/u);
	fc.assert(
		fc.property(bytes, around, around, (random, before, after) => {
			const key = `wk_${Buffer.from(random).toString('base64url')}`;
			expect(keyOf(`${before}${key}${after}`)).toBe(key);
		}),
		{ numRuns: 500 },
	);
});

it.each(['wk_abc-', 'wk_abc_', 'wk_a--'])('keeps the last character of %s', (key) => {
	expect(keyOf(key)).toBe(key);
});
