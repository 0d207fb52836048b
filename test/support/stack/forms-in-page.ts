import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { unescaped } from '../unescaped.ts';

/** The forms of a page, each as the fields that a browser sends if the person typed nothing. */
export function formsIn(html: string): readonly Fields[] {
	return [...html.matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)].map(([, form = '']) => {
		const controls = form.matchAll(
			/<(input)\s([^>]*)>|<(textarea)\s([^>]*)>([^<]*)<\/textarea>|<(select)\s([^>]*)>(.*?)<\/select>/gs,
		);
		const fields = [...controls].flatMap(
			([, input, ofInput, textarea, ofTextarea, text = '', , ofSelect, options = '']) => {
				const attributes = ofInput ?? ofTextarea ?? ofSelect ?? '';
				const { name, value = '', type = '' } = attributesOf(attributes);
				if (name === undefined) return [];
				if (textarea !== undefined) return [[name, unescaped(text)] as const];
				if (input === undefined) return [[name, chosenOf(options)] as const];
				const isChosen = !['checkbox', 'radio'].includes(type) || /\schecked/.test(` ${attributes}`);
				return isChosen ? [[name, value] as const] : [];
			},
		);
		return Object.fromEntries(fields);
	});
}

const attributesOf = (text: string): Fields =>
	Object.fromEntries(
		[...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
	);

function chosenOf(options: string): string {
	const all = [...options.matchAll(/<option([^>]*)>([^<]*)/g)];
	const [, attributes = '', label = ''] = all.find(([, given = '']) => given.includes('selected')) ?? all[0] ?? [];
	return attributesOf(attributes)['value'] ?? unescaped(label);
}
