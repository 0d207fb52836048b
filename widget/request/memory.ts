/** What a page needs to find its call again after a reload: of the call's own tab, and no number. */
export type Remembered = {
	readonly id: string;
	/** Cancels the call; empty when the service gave none. */
	readonly secret: string;
	/** The country the visitor chose for the number. */
	readonly region: string;
	readonly open: boolean;
};

const KEY = 'call-back-widget ';

/** Whether this tab asked for a call that may still be under way. */
export function remembersCall(host: HTMLElement): boolean {
	return createMemory(host.getAttribute('workspace-key') ?? '').read() !== null;
}

/**
 * The call that this tab asked for, kept in the session's storage from the visitor's own request on until it ends. Where a
 * browser keeps nothing (storage is refused or full), a reload loses the call from sight.
 */
export function createMemory(workspaceKey: string) {
	const name = KEY + workspaceKey;
	return {
		read(): Remembered | null {
			try {
				const kept: Remembered | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
				return kept?.id ? kept : null;
			} catch {
				return null;
			}
		},
		write(call: Remembered | null): void {
			try {
				if (call) sessionStorage.setItem(name, JSON.stringify(call));
				else sessionStorage.removeItem(name);
			} catch {}
		},
	};
}
export type Memory = ReturnType<typeof createMemory>;
