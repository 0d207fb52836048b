import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { requestCall, type Visitor } from './visitor.ts';

/**
 * The drawing instructions and fonts in a PDF, sorted, so that two PDFs can be compared. Names and dates are in other parts of
 * the file.
 */
function drawn(pdf: Buffer): readonly string[] {
	const text = pdf.toString('latin1');
	return [...text.matchAll(/FlateDecode[\s\S]*?stream\r?\n([\s\S]*?)endstream/g)]
		.map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
		.filter((content) => / (re|Tj|TJ|cm)\b/.test(content))
		.sort();
}

/** All rules of the widget's style sheets that apply to print. */
const RULES = `[...root.adoptedStyleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule, at) => [sheet, rule, at]))
	.filter(([, rule]) => rule.media?.mediaText === 'print')`;

/** Checks that a printed page shows nothing of the widget: neither its button nor a panel with a call. */
export async function leavesPaperAlone(visitor: Visitor): Promise<void> {
	const { tab, shop } = visitor;
	await visitor.visit(shop.page({ body: '<h1>Tools that last</h1>' }));
	for (const shows of ['the launcher', 'a call']) {
		if (shows === 'a call') {
			await requestCall(visitor);
			await visitor.reach('requested');
		}
		const paper = await tab.print();
		if (paper === null) {
			// This engine cannot print, so the print rules are applied to the screen.
			const isThere = `${RULES}.length === 1 && root.querySelector('[part=launcher]').getClientRects().length
				+ (root.querySelector('section')?.getClientRects().length ?? 0)`;
			assert.equal(await visitor.inside<number>(isThere), 1, `${shows} on the screen`);
			await visitor.inside(`${RULES}.forEach(([, rule]) => { rule.media.mediaText = 'all'; })`);
			const left = `root.querySelector('[part=launcher]').getClientRects().length
				+ (root.querySelector('section')?.getClientRects().length ?? 0)`;
			assert.equal(await visitor.inside<number>(left), 0, `${shows} on paper`);
			const back = RULES.replace("'print'", "'all'");
			await visitor.inside(`${back}.forEach(([, rule]) => { rule.media.mediaText = 'print'; })`);
			continue;
		}
		await visitor.inside(
			`document.querySelector('call-back-widget').style.setProperty('display', 'none', 'important')`,
		);
		const without = await tab.print();
		assert.ok(without !== null);
		assert.deepEqual(drawn(paper), drawn(without), `${shows} on paper`);
		await visitor.inside(`document.querySelector('call-back-widget').style.removeProperty('display')`);
	}
	const last = await tab.print();
	if (last === null) return;
	// Without the print rules, the widget would be printed. This shows that the comparison notices the widget.
	await visitor.inside(`${RULES}.forEach(([sheet, , at]) => sheet.deleteRule(at))`);
	const shown = await tab.print();
	assert.ok(shown !== null);
	assert.notDeepEqual(drawn(shown), drawn(last));
}
