import { eventually } from '../../support/stack/api.ts';
import type { Tab } from './engine.ts';
import type { Shop } from './shop.ts';

export type Visitor = ReturnType<typeof visitorOf>;

/** What a person can do on a page with the widget. With `phone`, the page is shown on a phone's screen of this width. */
export function visitorOf(tab: Tab, shop: Shop, phone?: number) {
	/**
	 * Evaluates an expression that may use `page` (the page's window), `document` and `root` (the widget's shadow root). `boxOf`
	 * returns the box of an element in pixels of the page's window. Scripts need `boxOf` because WebKit measures elements within
	 * a `zoom` in pixels of another size.
	 */
	const inside = <T>(expression: string): Promise<T> =>
		tab.evaluate<T>(`(() => {
			const page = ${phone === undefined ? 'window' : 'frames[0]'};
			const { document } = page;
			const root = document.querySelector('call-back-widget')?.shadowRoot;
			const boxOf = (element) => {
				const probe = document.body.appendChild(document.createElement('i'));
				Object.assign(probe.style, { position: 'fixed', inset: 0, display: 'block', visibility: 'hidden' });
				const scale = document.documentElement.clientWidth / probe.getBoundingClientRect().width;
				probe.remove();
				const { left, top, width, height } = element.getBoundingClientRect();
				return [left, top, width, height].map((pixels) => pixels * scale);
			};
			return (${expression});
		})()`);
	const soon = (what: string, expression: string): Promise<true> =>
		eventually(what, async () => ((await inside<boolean>(`!!(${expression})`)) ? true : null));

	/**
	 * Waits until an element is visible and does not move, then clicks its middle. The element is in the widget, or with `document`
	 * in the page.
	 */
	async function click(selector: string, of: 'root' | 'document' = 'root'): Promise<void> {
		const element = `${of}.querySelector('${selector}')`;
		await soon(`${selector} is there`, `${of} && ${element}?.getClientRects().length`);
		let before = '';
		// The content of the page moves when a font has loaded. The element is taken to stand still if it is twice at the same
		// place.
		const [x, y] = await eventually(`${selector} stands still`, async () => {
			const middle = await inside<readonly [number, number]>(`(() => {
				${element}.scrollIntoView({ block: 'nearest' });
				const [left, top, width, height] = boxOf(${element});
				const frame = page.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
				return [frame.left + left + width / 2, frame.top + top + height / 2];
			})()`);
			const isStill = before === String(middle);
			before = String(middle);
			return isStill ? middle : null;
		});
		await tab.click(x, y);
	}

	return {
		tab,
		shop,
		inside,
		soon,
		click,
		reach: (state: string) => soon(`the state ${state}`, `page.states.at(-1) === '${state}'`),
		visit: (url: string) => tab.goto(phone === undefined ? url : shop.onPhone(url, phone)),
		/** Waits for the form. The widget shows it when it has the workspace's configuration. */
		hasForm: () => soon('the form', `root?.querySelector('.form section:not([hidden])')`),
		async fill(number = '+12025550101'): Promise<void> {
			await click('#tel');
			await tab.type(number);
			await click('[type=checkbox]');
		},
	};
}

/** Opens the panel and sends the form for a call. */
export async function requestCall(visitor: Visitor): Promise<void> {
	await visitor.click('[part=launcher]');
	await visitor.hasForm();
	await visitor.fill();
	await visitor.click('[part=submit]');
}
