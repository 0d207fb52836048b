import { bearer, expectStatus, listIn, type Site, SmokeFailure, singleIn, waitFor } from './probe.ts';
import { unusedNumber } from './unused-number.ts';

const CALL_MS = 120_000;
/**
 * The last digits of two numbers in the simulated network. The person at the number `TALKS` talks and hangs up. The person at
 * the other number stays until the service hangs up.
 */
const TALKS = '01';
const STAYS = '10';

const visitor = ({ workspace_key, origin }: Site, ending: string) => ({
	body: { workspace_key, phone: unusedNumber(ending), name: 'Smoke test', consent: true, page_url: `${origin}/smoke` },
	headers: { origin },
});

/** Checks that a visitor's request is refused if there is no phone provider. */
export async function callsAreOff(site: Site): Promise<void> {
	await expectStatus(site, '/widget/call-requests', 503, visitor(site, TALKS));
}

async function requestCall(site: Site, ending: string): Promise<string> {
	const response = await expectStatus(site, '/widget/call-requests', 202, visitor(site, ending));
	return singleIn(response).id;
}

/** The name of the function at which a call is stuck. The progress of the call's legs shows which function that is. */
async function stalledAt({ deps: { store } }: Site, id: string): Promise<string> {
	const legs = (await store.get('call', { id }))?.legs ?? [];
	const live = legs.filter(({ rank }) => rank !== 'ended');
	if (legs.some(({ cause }) => cause === 'provider_error' || cause === 'provider_rejected')) return 'dial-leg';
	if (live.some(({ rank }) => rank === 'created')) return 'dial-leg';
	return live.some(({ rank }) => rank === 'answered') ? 'instruct-leg' : 'receive-leg-callback';
}

/** Follows a call from the request to its end, as a page and a server see it. Returns the call's id. */
export async function callCompletes(site: Site): Promise<string> {
	const id = await requestCall(site, TALKS);
	const status = async (): Promise<string> => {
		const path = `/widget/call-requests/${id}/status`;
		const response = await expectStatus(site, path, 200, {
			headers: { origin: site.origin },
		});
		return String(singleIn(response)['status']);
	};
	const last = await waitFor('receive-leg-callback', 'the call ends', CALL_MS, async () => {
		const now = await status();
		return now === 'completed' || now === 'failed' ? now : null;
	}).catch(async (error: unknown) => {
		if (!(error instanceof SmokeFailure) || error.culprit !== 'receive-leg-callback') throw error;
		throw new SmokeFailure(await stalledAt(site, id), `the simulated call stays ${await status()}`);
	});
	if (last !== 'completed') throw new SmokeFailure(await stalledAt(site, id), `the simulated call ended ${last}`);
	const headers = bearer(site.api_key);
	await expectStatus(site, `/calls/${id}`, 200, { headers });
	await waitFor('list-calls', 'a call on the list', 15_000, async () => {
		const calls = listIn(await expectStatus(site, '/calls', 200, { headers }));
		return calls.find((call) => call.id === id) ?? null;
	});
	return id;
}

/** Cancels a call while phones ring, and checks that every leg is hung up. */
export async function callIsCancelled(site: Site): Promise<void> {
	const id = await requestCall(site, STAYS);
	const { store } = site.deps;
	await waitFor('dial-leg', 'a phone rings', CALL_MS, async () => {
		const call = await store.get('call', { id });
		return call?.legs.find(({ provider_id }) => provider_id !== null) ?? null;
	});
	await expectStatus(site, `/calls/${id}/cancel`, 200, {
		method: 'POST',
		headers: bearer(site.api_key),
	});
	await waitFor('hang-up-leg', 'every phone is hung up', CALL_MS, async () => {
		const call = await store.get('call', { id });
		return call?.legs.every(({ rank }) => rank === 'ended') ? true : null;
	});
}
