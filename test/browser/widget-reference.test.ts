import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openStage, type Visit } from './support/stage.ts';

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
	stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

/** Keeps what the page hears, in whole. */
const listen = ({ page }: Visit): Promise<unknown> =>
	page.evaluate(`heard = []; document.addEventListener('callback:state', ({ detail }) => heard.push(detail))`);

describe('a page that names what the call is about', () => {
	it.each([
		['the attribute of the script', { embed: 'data-reference="order-4711"' }],
		['the attribute of the element', { element: 'reference=" order-4711 "' }],
	])('by %s: the request has it, and each event has it with the id and the reason', async (_, options) => {
		const visit = await stage.visit(options);
		await listen(visit);
		await visit.open();
		await visit.send();
		await visit.reach('requested');
		Object.assign(visit.api.script, { status: 'failed', failure_reason: 'no_agent_answer' });
		await visit.reach('failed');
		expect(visit.api.seen('call')[0]?.body).toMatchObject({ reference: 'order-4711' });
		const heard = (await visit.page.evaluate('heard')) as readonly {
			readonly state: string;
			readonly id: string | null;
		}[];
		const reference = 'order-4711';
		expect(heard[0]).toEqual({ state: 'sending', id: null, reference, reason: null });
		const id = heard.at(-1)?.id;
		expect(id).toEqual(expect.any(String));
		expect(heard.at(-1)).toEqual({ state: 'failed', id, reference, reason: 'no_agent_answer' });
	});

	it('by open(): the reference of the last opening counts, cut to what the service takes', async () => {
		const visit = await stage.visit({ element: 'reference="first"' });
		const long = `second ${'x'.repeat(80)}`;
		await visit.page.evaluate(
			`document.querySelector('call-back-widget').open({ reference: ${JSON.stringify(long)} })`,
		);
		await visit.send();
		await visit.reach('requested');
		expect(visit.api.seen('call')[0]?.body).toMatchObject({ reference: long.slice(0, 64) });
	});
});
