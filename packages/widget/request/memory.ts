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

/**
 * Stores the call that this tab requested in the session storage, until the call ends. If the browser stores nothing
 * (storage is blocked or full), the call is no longer visible after a reload.
 */
export function createMemory(workspaceKey: string) {
	const name = KEY + workspaceKey;
	return {
		read(): Memo | null {
			try {
				const memo: Memo | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
				return memo?.id ? memo : null;
			} catch (failure) {
				tellUnlessBlocked(failure);
				return null;
			}
		},
		write(call: Memo | null): void {
			try {
				if (call) sessionStorage.setItem(name, JSON.stringify(call));
				else sessionStorage.removeItem(name);
			} catch (failure) {
				tellUnlessBlocked(failure);
			}
		},
	};
}
export type Memory = ReturnType<typeof createMemory>;
