import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indentedJson } from '../../../shared/presentation/indented-json.ts';

it('indented JSON has a line for each value, and keeps each value as it is written', () => {
	expect(indentedJson('{"id":12345678901234567890,"list":[1.0,"a, b: {}",[]],"none":{}}')).toBe(`{
  "id": 12345678901234567890,
  "list": [
    1.0,
    "a, b: {}",
    []
  ],
  "none": {}
}`);
});

it.each([
	['text', 'who are you?'],
	['a number', '12345678901234567890'],
	['JSON that was cut', '{"error":{"code":'],
	['several lines of JSON', '{"a":1}\n{"b":2}'],
	[
		'lists that are nested so deeply that their indentation would fill the page',
		`${'['.repeat(500)}${']'.repeat(500)}`,
	],
	['nothing', ''],
])('%s stays as it is', (_, text) => {
	expect(indentedJson(text)).toBe(text);
});

it('indented JSON has the same value as the text that was indented, and is at most four times as long plus 200 characters', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, spaces) => {
			const text = JSON.stringify(value, null, spaces);
			const indented = indentedJson(text);
			expect(JSON.parse(indented)).toEqual(JSON.parse(text));
			expect(indented.length).toBeLessThanOrEqual(text.length * 4 + 200);
		}),
	);
});
