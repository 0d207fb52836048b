import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { workspaceKeysOf } from '../../../packages/widget/workspace-key.ts';
import { WidgetConfigQuery } from '../../../shared/contract/widget/widget.ts';

const keysOf = (written: string | null) => workspaceKeysOf({ getAttribute: () => written });

it.each([' wk_1', 'wk_1 ', '\ufeffwk_1\r\n', '\u00a0wk_1\t'])(
	'the widget reads a workspace key that was pasted with spaces: %j',
	(key) => {
		expect(WidgetConfigQuery.parse({ workspace_key: key })).toEqual({ workspace_key: 'wk_1' });
	},
);

it('the widget refuses a workspace key of spaces alone', () => {
	expect(WidgetConfigQuery.safeParse({ workspace_key: '  ' }).success).toBe(false);
});

it('the widget reads every possible workspace key, alone and with the characters around it that pasting adds', () => {
	const bytes = fc.uint8Array({ minLength: 18, maxLength: 18 });
	const around = fc.stringMatching(/^["'“”\s\u200b\ufeff]{0,3}$/u);
	fc.assert(
		fc.property(bytes, around, around, (random, before, after) => {
			const key = `wk_${Buffer.from(random).toString('base64url')}`;
			expect(keysOf(`${before}${key}${after}`)).toEqual([key]);
		}),
		{ numRuns: 500 },
	);
});

it.each(['wk_abc-', 'wk_abc_', 'wk_a--'])('the widget keeps the last character of the key %s', (key) => {
	expect(keysOf(key)).toEqual([key]);
});

it.each([
	['wk_sales wk_support', ['wk_sales', 'wk_support']],
	[' wk_a,wk_b;\n\twk_c- ', ['wk_a', 'wk_b', 'wk_c-']],
	['“wk_a” “wk_b”', ['wk_a', 'wk_b']],
	['', ['']],
	['   ', ['']],
	[null, ['']],
])('the widget reads the keys of %j', (written, keys) => {
	expect(keysOf(written)).toEqual(keys);
});
