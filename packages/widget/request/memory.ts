import { workspaceKeyOf } from '../workspace-key.ts';

/** The data with which a page finds its call after a reload, in the call's own tab and without the number. */
export type Memo = {
	readonly id: string;
	/** Cancels the call; empty if the service returned none. */
	readonly secret: string;
	readonly region: string;
	readonly open: boolean;
};

const KEY = 'call-back-widget ';

/** Whether this tab requested a call that may still be live. */
export function remembersCall(host: HTMLElement): boolean {
	return createMemory(workspaceKeyOf(host)).read() !== null;
}

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
			} catch {
				return null;
			}
		},
		write(call: Memo | null): void {
			try {
				if (call) sessionStorage.setItem(name, JSON.stringify(call));
				else sessionStorage.removeItem(name);
			} catch {}
		},
	};
}
export type Memory = ReturnType<typeof createMemory>;
