import { h } from './dom.ts';

/** The first letters of the first and the last word: `IW` for `Ida Wells`. */
export function initialsOf(name: string): string {
	const words = name.split(/[\s-]+/).filter((word) => /^\p{L}/u.test(word));
	const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
	return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('');
}

function faceOf(avatar: string): HTMLElement[] {
	if (/[/.]/.test(avatar)) return [h('img', 'avatar', { src: avatar, alt: '', width: '44', height: '44' })];
	const initials = h('span', 'avatar', { 'aria-hidden': 'true', translate: 'no' }, initialsOf(avatar));
	return [initials, h('span', 'name', { dir: 'auto', translate: 'no' }, avatar)];
}

/** The logo of the site, and the image or the name of the person who would call. Empty if the page gave neither. */
export function createHead(host: HTMLElement): HTMLElement | '' {
	const [logo, avatar] = ['logo', 'avatar'].map((name) => host.getAttribute(name));
	if (!logo && !avatar) return '';
	const head = h('div', 'head');
	if (avatar) head.append(...faceOf(avatar));
	if (logo) head.append(h('img', 'logo', { src: logo, alt: '' }));
	return head;
}
