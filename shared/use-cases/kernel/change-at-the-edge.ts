import type { Write } from '../../ports/store.ts';

/** What the edge has to say in a change of one resource. */
export type ChangeAtTheEdge<T> = {
	/** Whether the client has seen the resource as it is (If-Match). Asked of each version that a change starts from. */
	readonly mayChange: (current: T) => boolean;
	/** Writes that belong into the same transaction: the kept answer under an Idempotency-Key. */
	readonly alongside: (changed: T) => readonly Write[];
};
