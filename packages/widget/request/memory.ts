import { tellFailure } from '../tell.ts';

/** The data with which a page finds its call after a reload, in the call's own tab and without the number. */
export type Memo = {
	readonly id: string;
	/** Cancels the call; empty if the service returned none. */
	readonly secret: string;
	readonly region: string;
	readonly open: boolean;
};

/** A browser whose storage is blocked or full refuses with a DOMException. */
function tellUnlessBlocked(failure: unknown): void {
	if (!(failure instanceof DOMException)) tellFailure(failure);
}

const KEY = 'call-back-widget ';

/** An item of the session storage. If the browser does not store it, it lasts as long as the page. */
function createItem<T extends { readonly id: string }>(name: string) {
	let kept: T | null = null;
	return {
		read(): T | null {
			try {
				const stored: T | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
				if (stored?.id) return stored;
			} catch (failure) {
				tellUnlessBlocked(failure);
			}
			return kept;
		},
		write(value: T | null): void {
			kept = null;
			try {
				if (value) sessionStorage.setItem(name, JSON.stringify(value));
				else sessionStorage.removeItem(name);
			} catch (failure) {
				kept = value;
				tellUnlessBlocked(failure);
			}
		},
	};
}

/**
 * Stores the call that this tab requested in the session storage, until the call ends. If the browser stores nothing
 * (storage is blocked or full), the call is no longer visible after a reload.
 */
export function createMemory(workspaceKey: string) {
	const name = KEY + workspaceKey;
	return {
		...createItem<Memo>(name),
		/** The Idempotency-Key of a request that is not answered yet: sent again after a reload, it still makes one call. */
		key: createItem<{ readonly id: string }>(`${name} key`),
	};
}
export type Memory = ReturnType<typeof createMemory>;
