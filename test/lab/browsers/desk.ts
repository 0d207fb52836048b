import assert from 'node:assert/strict';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import type { Visitor } from './visitor.ts';

/**
 * The bounding boxes of the time fields that have a value, and of those that have none. A box leaves out the clock icon that
 * some engines draw at the end of a field.
 */
const FIELDS = `(() => {
	const boxes = { entered: [], empty: [] };
	document.querySelector('[name=when][value=hours]').checked = true;
	for (const further of document.querySelectorAll('details')) further.open = true;
	for (const field of document.querySelectorAll('input[type=time]')) {
		const { left, top, width, height } = field.getBoundingClientRect();
		// The picture shows only what is in the window, and not what the bar of the button Save covers.
		const isShown = document.elementFromPoint(left + width / 2, top + height / 2) === field;
		if (isShown && top + height < innerHeight) boxes[field.value ? 'entered' : 'empty'].push([left + 4, top + 4, width * 0.7, height - 8].map(Math.round));
	}
	return boxes;
})()`;
type Box = readonly [left: number, top: number, width: number, height: number];

/** How many pixels of each box have another colour than the box's first pixel. This measures the amount of text in the box. */
const inkOf = (picture: Buffer, boxes: readonly Box[]) => `(async () => {
	const image = new Image();
	image.src = 'data:image/png;base64,${picture.toString('base64')}';
	await image.decode();
	const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
	const context = canvas.getContext('2d', { willReadFrequently: true });
	context.drawImage(image, 0, 0);
	return ${JSON.stringify(boxes)}.map((box) => {
		const { data } = context.getImageData(...box);
		let ink = 0;
		for (let at = 0; at < data.length; at += 4) if (Math.abs(data[at] - data[0]) > 24) ink++;
		return ink;
	});
})()`;

/** Opens the form of a shop's hours. Each time field without a value must look empty. */
export async function closedDaysLookClosed({ tab, shop }: Visitor): Promise<void> {
	const desk = deskInMemory();
	const { id, owner } = await desk.newShop();
	const { cookie } = await desk.signIn(owner, id);
	const { html, headers } = await desk.send(desk.pageAt('hours'), { cookie });
	await tab.goto(shop.document(html, headers.get('content-security-policy') ?? ''));
	const { entered, empty } = await tab.evaluate<Readonly<Record<'entered' | 'empty', readonly Box[]>>>(FIELDS);
	assert.ok(entered.length > 3 && empty.length > 3, 'fields of open days, with and without a time');
	const picture = await tab.picture();
	// The desk's Content-Security-Policy allows no pictures, so the pixels are counted on another page.
	await tab.goto(shop.page());
	const most = Math.max(...(await tab.evaluate<readonly number[]>(inkOf(picture, empty))));
	const least = Math.min(...(await tab.evaluate<readonly number[]>(inkOf(picture, entered))));
	assert.ok(most < least / 2, `an empty time has ${most} dark pixels, one that was entered has ${least}`);
}
