import { type Store, StoreBusy, type Write } from '../../ports/store.ts';

/** What is to become of the records that were read. */
export type Decision<Result> = {
	readonly result: Result;
	/** What is written in one transaction, each part under a name. Without writes nothing is committed. */
	readonly writes?: Readonly<Record<string, Write | readonly Write[]>>;
	/** What it means if a named part is refused. Any other refusal is a lost race: the change is decided again. */
	readonly refusals?: Readonly<Record<string, Result>>;
	/** What follows the commit. If it fails or is lost, the sweep makes up for it. */
	readonly afterwards?: () => Promise<unknown>;
};

/** What a change takes: the store, and at the edge the request that asks for it. */
export type Changing<Result> = {
	readonly store: Pick<Store, 'commit'>;
	/** The write that keeps this result's answer for a repeated request: part of the same transaction. */
	readonly keepAnswer?: (result: Result) => readonly Write[];
};

/** A change that the edge asks for, which may depend on what the client has seen. */
export type ChangingAtTheEdge<Result> = Changing<Result> & {
	/** Whether the client has seen the resource as `current` shows it (If-Match). Asked of each version that is read. */
	readonly hasSeen?: (current: Result) => boolean;
};

/** Lost races are decided again this many times in all. A record has few writers, so more than a few are a fault. */
const TRIES = 32;

/** Two requests under one Idempotency-Key came at once, and the other was faster: its answer is this one's, too. */
export class TwinAnswered extends Error {
	override readonly name = 'TwinAnswered';
}

/**
 * The unit of work: reads, decides, and commits the decision with the kept answer in one transaction. `decide` may be asked
 * several times, each time with what was read anew. Throws `StoreBusy` when every try has lost its race, `TwinAnswered` when
 * the request has been answered by its twin.
 */
export async function change<Seen, Result>(
	work: {
		/** What has been read already: the first try starts from it. */
		readonly from?: Seen;
		readonly read: () => Promise<Seen>;
		readonly decide: (seen: Seen) => Decision<Result> | Promise<Decision<Result>>;
	},
	{ store, keepAnswer }: Changing<Result>,
): Promise<Result> {
	for (let tried = 0; tried < TRIES; tried += 1) {
		const seen = tried === 0 && work.from !== undefined ? work.from : await work.read();
		const decision = await work.decide(seen);
		const tried_writes = await commit(decision, keepAnswer?.(decision.result) ?? [], store);
		if (tried_writes.committed) {
			await decision.afterwards?.();
			return decision.result;
		}
		const { refused } = tried_writes;
		if (refused.includes(ANSWER)) throw new TwinAnswered('the request was answered under its key');
		const meant = refused.find((name) => decision.refusals?.[name] !== undefined);
		if (meant !== undefined && decision.refusals?.[meant] !== undefined) return decision.refusals[meant];
	}
	throw new StoreBusy('too many changes of one record at once');
}

const ANSWER = 'answer';

type Tried = { readonly committed: true } | { readonly committed: false; readonly refused: readonly string[] };

/** Commits by name; `refused` names the parts that the store did not take. */
async function commit<Result>(
	{ writes = {}, refusals = {} }: Decision<Result>,
	answer: readonly Write[],
	store: Pick<Store, 'commit'>,
): Promise<Tried> {
	const unknown = Object.keys(refusals).find((name) => writes[name] === undefined);
	if (unknown !== undefined) throw new Error(`no write is named ${unknown}`);
	const parts = Object.entries({ ...writes, [ANSWER]: answer });
	const named = parts.flatMap(([name, part]) => [part].flat().map((write) => ({ name, write })));
	if (named.length === 0) return { committed: true };
	const outcome = await store.commit(named.map(({ write }) => write));
	if (outcome.committed) return outcome;
	const refused = outcome.refused.flatMap((position) => named[position]?.name ?? []);
	return { committed: false, refused };
}
