import { expect, it } from '@jest/globals';
import { spokenPrompt } from '../../../shared/domain/calls/spoken-prompt.ts';

it('the prompt says who asks on which page, without the rest of its URL', () => {
	const said = (visitor_name: string | null, source_url: string) => spokenPrompt({ visitor_name, source_url });
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
