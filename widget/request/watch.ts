import type { CallRequest } from './api.ts';
import { WATCHED_MS } from './pace.ts';

/** A connection that ends sooner was cut off: do not open another for this call. The gateway ends one after ten minutes. */
const TRUSTED_MS = 60_000;

/** Waits on a WebSocket for the end of the visitor's call. `pollIn` replaces the next poll: rarely while it is open. */
export function createWatch(pollIn: (delayMs: number) => void, onEnd: (call: CallRequest) => void) {
	let socket: WebSocket | null = null;
	let refused = false;

	/** Opens the connection; does nothing if there is one, or if this browser or its network lets none through. */
	function open(url: string): void {
		if (socket || refused) return;
		const mine = new WebSocket(url);
		socket = mine;
		let opened_ms = Number.POSITIVE_INFINITY;
		mine.onopen = () => {
			opened_ms = performance.now();
			pollIn(WATCHED_MS);
		};
		mine.onmessage = ({ data }) => {
			const { data: call } = JSON.parse(data);
			if (call) onEnd(call);
		};
		mine.onclose = () => {
			if (socket !== mine) return;
			socket = null;
			refused = !(performance.now() - opened_ms > TRUSTED_MS);
			pollIn(0);
		};
	}

	/** Ends the connection, for instance because the page is left: a browser keeps no page with an open one. */
	function close(): void {
		const mine = socket;
		socket = null;
		refused = false;
		mine?.close();
	}
	return { open, close };
}
