import { setTimeout as pause } from 'node:timers/promises';
import { call, visitorBody } from '../../support/stack/api.ts';

// Visitors who place calls while a stack is updated. Like the widget, they repeat a request that got no response or a 5xx, with
// the same Idempotency-Key.

const ORIGIN = 'https://shop.example';
const CALL_MS = 180_000;
const ASK_AGAIN_MS = 300;
const BETWEEN_TRIES_MS = 1000;
const ENDED = ['completed', 'failed', 'canceled'];

export type EndedCall = { readonly visitor: string; readonly status: string; readonly tries: number };

/** In each workspace, visitors call one after the other until `stop`, which waits for the calls that are in progress. */
export function callersOf(baseUrl: string, workspaceKeys: readonly string[]) {
	let isOver = false;
	let active = 0;
	const first = Promise.withResolvers<void>();
	const chains = workspaceKeys.map(async (workspaceKey, index) => {
		const ended: EndedCall[] = [];
		while (!isOver) {
			active += 1;
			ended.push(await callOf(baseUrl, workspaceKey, visitorOf(index, ended.length)));
			active -= 1;
			first.resolve();
		}
		return ended;
	});
	return {
		/** Resolves when the first call has ended. By then, the functions have started. */
		firstEnded: first.promise,
		inProgress: () => active,
		async stop(): Promise<readonly EndedCall[]> {
			isOver = true;
			return (await Promise.all(chains)).flat();
		},
	};
}

/** Area codes, one for each workspace. Each visitor has a 555-01 number, which is reserved for fiction. */
const CITIES = ['202', '312', '415', '617'];
const visitorOf = (workspace: number, nth: number): string =>
	`+1${CITIES[workspace]}555${String(101 + nth).padStart(4, '0')}`;

async function callOf(baseUrl: string, workspaceKey: string, visitor: string): Promise<EndedCall> {
	const deadline = Date.now() + CALL_MS;
	const { id, tries, refused } = await requested(baseUrl, workspaceKey, visitor, deadline);
	let status = refused;
	while (id !== null && !ENDED.includes(status) && Date.now() < deadline) {
		await pause(ASK_AGAIN_MS);
		const at = `/widget/call-requests/${id}/status`;
		const now = await call(baseUrl, at, { headers: { origin: ORIGIN } }).catch(() => null);
		if (now?.status === 200) status = now.json.data.status;
	}
	return { visitor, status, tries };
}

async function requested(baseUrl: string, workspace_key: string, phone: string, deadline: number) {
	const headers = { origin: ORIGIN, 'idempotency-key': `call-${phone}` };
	const body = visitorBody({ workspace_key, allowed_origin: ORIGIN }, { phone });
	let tries = 0;
	let refused = 'never answered';
	while (Date.now() < deadline) {
		tries += 1;
		const asked = await call(baseUrl, '/widget/call-requests', { body, headers }).catch(() => null);
		if (asked?.status === 202) return { id: String(asked.json.data.id), tries, refused: 'requested' };
		if (asked !== null) refused = `${asked.status} ${asked.text}`;
		if (asked !== null && asked.status < 500) break;
		await pause(BETWEEN_TRIES_MS);
	}
	return { id: null, tries, refused };
}
