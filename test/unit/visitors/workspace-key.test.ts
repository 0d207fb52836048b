import { expect, it } from '@jest/globals';
import { WidgetConfigQuery } from '../../../shared/contract/visitors/widget.ts';

it.each([' wk_1', 'wk_1 ', '\ufeffwk_1\r\n', '\u00a0wk_1\t'])(
	'reads a workspace key that was pasted with spaces: %j',
	(key) => {
		expect(WidgetConfigQuery.parse({ workspace_key: key })).toEqual({ workspace_key: 'wk_1' });
	},
);

it('refuses a workspace key of spaces alone', () => {
	expect(WidgetConfigQuery.safeParse({ workspace_key: '  ' }).success).toBe(false);
});
