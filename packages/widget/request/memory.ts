import { tellFailure } from '../tell.ts';

/**
 * What a page needs to find its call again after a reload. It is stored only for the tab of the call, and without the
 * number.
 */
export type Memo = {
	readonly id: string;
	/** The secret that cancels the call. Empty if the service returned none. */
	readonly secret: string;
	readonly region: string;
	readonly open: boolean;
};

/** If the browser's storage is blocked or full, it throws a DOMException, which is ignored. Other failures are reported. */
function tellUnlessBlocked(failure: unknown): void {
	if (!(failure instanceof DOMException)) tellFailure(failure);
}

const KEY = 'call-back-widget ';

/** An item of the session storage. If the browser does not store the item, it lasts only as long as the page. */
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
 * Keeps, in the session storage, the call that this tab has requested, until the call ends. If the browser stores nothing,
 * because the storage is blocked or full, the call is not visible after a reload.
 */
export function createMemory(workspaceKey: string) {
	const name = KEY + workspaceKey;
	return {
		...createItem<Memo>(name),
		/**
		 * The Idempotency-Key of a request that has not been answered yet. If the request is sent again after a reload, it
		 * still creates only one call.
		 */
		key: createItem<{ readonly id: string }>(`${name} key`),
	};
}
export type Memory = ReturnType<typeof createMemory>;
