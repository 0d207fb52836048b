import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { copyPages } from '../../local/console/server/build-pages.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a start keeps the ten newest former widgets, whose pages may be open, and no other file of a former release', async () => {
	const folder = temporaryDirectory('pages-');
	const widget = join(folder, 'widget');
	mkdirSync(widget, { recursive: true });
	writeFileSync(join(folder, 'former.html'), '');
	const hashes = Array.from({ length: 12 }, (_, n) => `${n}`.padStart(10, 'a'));
	for (const [n, hash] of hashes.entries()) {
		for (const part of ['js', 'panel.js', 'de.json']) writeFileSync(join(widget, `widget.${hash}.${part}`), '');
		utimesSync(join(widget, `widget.${hash}.js`), n, n);
	}
	await copyPages(folder);
	expect(readdirSync(folder)).toEqual(expect.arrayContaining(['index.html', 'widget']));
	expect(readdirSync(folder)).not.toContain('former.html');
	const files = readdirSync(widget);
	expect(files).toEqual(expect.arrayContaining(['widget.js', 'manifest.json']));
	const former = files.filter((name) => hashes.some((hash) => name.includes(hash)));
	const expected = hashes
		.slice(2)
		.flatMap((hash) => ['de.json', 'js', 'panel.js'].map((part) => `widget.${hash}.${part}`));
	expect(former.sort()).toEqual(expected.sort());
});
