import type { Bench } from '../bench/bench.ts';
import type { Request } from '../bench/functions.ts';
import { FORM, type RestProvider, restCallback } from '../bench/providers.ts';
import { peopleOf, visitor, widget } from './people.ts';
import { PLENTY } from './shops.ts';

const ANSWERED = { CallStatus: 'in-progress' };
const PRESSED = { ...ANSWERED, Digits: '1' };
const OVER = { CallStatus: 'completed', CallDuration: '30' };

/**
 * Fills a shop that calls through Twilio or Telnyx, with calls in progress. Returns the requests that the provider sends next.
 */
export async function fillByProvider(
	bench: Bench,
	provider: RestProvider,
): Promise<readonly { readonly name: string; readonly request: Request }[]> {
	const { ops, must, nextNumber } = peopleOf(bench);
	const about = ['--name', 'Shop', '--region', 'US', '--time-zone', 'America/New_York'];
	const team = ['--team', 'Ida Wells:+13125550101', '--team', 'Bo Li:+13125550102', '--ring-strategy', 'sequential'];
	const origin = 'https://shop.example';
	const { id, workspace_key } = await ops('workspace', 'create', ...about, ...team, '--origin', origin, ...PLENTY);
	const shop = { id, workspace_key, origin, api_key: '' };

	const request = async () => {
		await must(widget(shop, 'POST', '/call-requests', visitor(shop, nextNumber())));
		await bench.settle();
		return newest();
	};
	const newest = () => {
		const dial = bench.restDials.at(-1);
		if (dial === undefined) throw new Error(`nothing was dialled at ${provider}`);
		return dial;
	};
	type Dialed = ReturnType<typeof newest>;
	const report = (dial: Dialed, said: Readonly<Record<string, string>>) =>
		restCallback(provider, dial.fields['StatusCallback'] ?? '', dial, said);
	const asks = (dial: Dialed, said: Readonly<Record<string, string>> = ANSWERED) =>
		restCallback(provider, dial.fields['Url'] ?? '', dial, said);
	const does = async (asked: ReturnType<typeof asks>) => {
		const { body } = await must(asked);
		await bench.settle();
		await bench.pass(1000);
		return body;
	};
	/** The URL in the provider's call instructions to which the pressed key is reported. */
	const keyAddress = (markup: string) => (/action="([^"]+)"/.exec(markup)?.[1] ?? '').replaceAll('&amp;', '&');
	const accept = async (agent: Dialed) => {
		const address = keyAddress(await does(asks(agent)));
		await does(restCallback(provider, address, agent, PRESSED));
		return newest();
	};

	const dialing = await request();
	const declined = await request();
	const prompted = await request();
	await does(report(prompted, { CallStatus: 'ringing' }));
	const address = keyAddress(await does(asks(prompted)));
	const waiting = await request();
	const waitedFor = await accept(waiting);
	const busy = await request();
	const busyVisitor = await accept(busy);
	const talking = await request();
	const talkedTo = await accept(talking);
	await does(asks(talkedTo));

	const step = (name: string, asked: Request) => ({ name: `${provider}: ${name}`, request: asked });
	const forged = report(waiting, OVER);
	return [
		step('a phone rings', report(dialing, { CallStatus: 'ringing' })),
		step('a phone was answered and asks what to do', asks(dialing)),
		step('a member declines, and the next one is dialled', report(declined, { CallStatus: 'busy' })),
		step('a key is pressed that the prompt asked for', restCallback(provider, address, prompted, PRESSED)),
		step('the same report comes once more', restCallback(provider, address, prompted, PRESSED)),
		step("the visitor's phone is answered and joins", asks(waitedFor)),
		step('the visitor is busy', report(busyVisitor, { CallStatus: 'busy', SipResponseCode: '486' })),
		step('the conversation ends', report(talkedTo, OVER)),
		step("the member's leg ends, too", report(talking, OVER)),
		step('an ended leg asks what to do', asks(talking)),
		step('a report that someone else signed', { ...forged, headers: { 'content-type': FORM } }),
	];
}
