import { describe, expect, it } from '@jest/globals';
import { acceptPrompt, oneMoment } from '../../../shared/domain/calls/spoken.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';

const said = (visitor_name: string | null, source_url: string) =>
	acceptPrompt({ language: 'en', visitor_name, source_url }).text;

describe('what a team member hears before pressing 1', () => {
	it('names the visitor and the page, without the rest of its URL', () => {
		expect(said(null, 'http://shop.example/a/?b#c')).toBe(
			'Press 1 to talk to a visitor, who asks for a call on shop.example/a.',
		);
		expect(said('  Ada  \n Lovelace ', 'app:https://shop.example')).toBe(
			'Press 1 to talk to Ada Lovelace, who asks for a call on the website.',
		);
		const name = 'a'.repeat(48);
		expect(said(`${name} 12`, 'https://shop.example')).toBe(
			`Press 1 to talk to ${name}, who asks for a call on shop.example.`,
		);
	});

	it('contains a name as it is written', () => {
		for (const name of ['$& and $1', '{1}', '</Say>'])
			expect(said(name, 'https://shop.example/')).toBe(
				`Press 1 to talk to ${name}, who asks for a call on shop.example.`,
			);
	});

	it.each(languages)('is spoken in %s, and so is the request to wait', (language) => {
		const named = acceptPrompt({ language, visitor_name: 'سارة', source_url: 'https://shop.example/' });
		const unnamed = acceptPrompt({ language, visitor_name: null, source_url: '' });
		expect(named.text).toContain('سارة');
		expect(named.text).toContain('1');
		const latin = acceptPrompt({ language, visitor_name: 'Łukasz 24', source_url: 'https://shop.example/' });
		expect(latin.text).toContain('Łukasz 24');
		expect(latin.text).toContain('shop.example');
		const test = acceptPrompt({ language, visitor_name: null, source_url: 'https://shop.example/', is_test: true });
		expect(test.text).toContain('1');
		expect(test.text).not.toContain('shop.example');
		for (const spoken of [named, unnamed, test, oneMoment(language)]) {
			expect(spoken.language).toBe(language);
			expect(spoken.text).not.toMatch(/[{}]/);
			// Bidirectional marks are for readers. A voice needs none, because it speaks in the order of the text.
			expect(spoken.text).not.toMatch(/\p{Bidi_Control}/u);
			if (language !== 'en') expect(spoken.text).not.toMatch(/visitor|please|the website/);
		}
	});
});
