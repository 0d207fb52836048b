import { requested } from './call-checks.ts';
import { awaited, bearer, expectStatus, type Site, SmokeFailure, single } from './probe.ts';

/** A fictional number of the simulated network: it talks until it is hung up. */
const TALKS_ON = '+12125550110';
const TALK_MS = 120_000;
const SHOWN_MS = 15_000;

/** Opens the WebSocket of a visitor's page while people talk, ends the call, and checks that the page is shown the end. */
export async function pageIsShownTheEnd(site: Site): Promise<void> {
	const id = await requested(site, TALKS_ON);
	const live_url = await awaited('receive-leg-callback', 'people talk', TALK_MS, async () => {
		const path = `/widget/call-requests/${id}/status`;
		const answer = await expectStatus(site, 'get-call-request-status', path, 200, { headers: { origin: site.origin } });
		const { live_url } = single('get-call-request-status', answer);
		return typeof live_url === 'string' ? live_url : null;
	});
	const socket = new WebSocket(live_url, { headers: { origin: site.origin } });
	try {
		await soon(socket, 'open', 'watch-call', 'the page may not wait for the end of its call');
		const shown = soon(socket, 'message', 'cancel-call', 'the page is not shown the end of its call');
		const headers = bearer(site.api_key);
		const canceled = expectStatus(site, 'cancel-call', `/calls/${id}/cancel`, 200, { method: 'POST', headers });
		await Promise.all([canceled, shown]);
	} finally {
		socket.close();
	}
}

/** Resolves at the event; throws `SmokeFailure` if the connection ends first, or after 15 s. */
function soon(socket: WebSocket, event: 'open' | 'message', culprit: string, otherwise: string): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const fail = (): void => reject(new SmokeFailure(culprit, otherwise));
	const signal = AbortSignal.timeout(SHOWN_MS);
	signal.addEventListener('abort', fail);
	socket.addEventListener('close', fail, { signal });
	socket.addEventListener(event, () => resolve(), { signal });
	return promise;
}
