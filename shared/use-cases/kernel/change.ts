import { type Store, StoreBusy, type Write } from '../../ports/store.ts';

/** What a decision asks the store for, and what it answers once the store has agreed. */
export type Proposal<Result> = {
	readonly result: Result;
	/** What is written in one transaction, each part under a name. Without writes nothing is committed. */
	readonly writes?: Readonly<Record<string, Write | readonly Write[]>>;
	/** What it means if a named part is refused. Any other refusal is a lost race: the change is decided again. */
	readonly refusals?: Readonly<Record<string, Result>>;
	/** What follows the commit. If it fails or is lost, the sweep makes up for it. */
	readonly afterwards?: () => Promise<unknown>;
};

/** What the edge adds to a change for the request that asks for it. */
export type Answering<Result> = {
	/** The write that keeps this result's answer for a repeated request: part of the same transaction. */
	readonly keepAnswer?: KeepAnswer<Result>;
	/** Whether the client has seen the resource as `current` shows it (If-Match). Asked of each version that is read. */
	readonly hasSeen?: (current: Result) => boolean;
};
type KeepAnswer<Result> = (result: Result) => readonly Write[];

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
		readonly decide: (seen: Seen) => Proposal<Result> | Promise<Proposal<Result>>;
	},
	store: Pick<Store, 'commit'>,
	keepAnswer?: KeepAnswer<Result>,
): Promise<Result> {
	for (let tried = 0; tried < TRIES; tried += 1) {
		const seen = tried === 0 && work.from !== undefined ? work.from : await work.read();
		const proposal = await work.decide(seen);
		const { result, refusals, afterwards } = proposal;
		const outcome = await commit(proposal, keepAnswer?.(result) ?? [], store);
		if (outcome.committed) {
			await afterwards?.();
			return result;
		}
		const { refused } = outcome;
		if (refused.includes(ANSWER)) throw new TwinAnswered('the request was answered under its key');
		const [meant] = refused.flatMap((name) => {
			const refusal = refusals?.[name];
			return refusal === undefined ? [] : [refusal];
		});
		if (meant !== undefined) return meant;
	}
	throw new StoreBusy('too many changes of one record at once');
}

const ANSWER = 'answer';

type Tried = { readonly committed: true } | { readonly committed: false; readonly refused: readonly string[] };

/** Commits by name; `refused` names the parts that the store did not take. */
async function commit<Result>(
	{ writes = {}, refusals = {} }: Proposal<Result>,
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

/** The same proposal, where its result and refusals are said in other words. */
export function inWords<A, B>(proposal: Proposal<A>, say: (result: A) => B): Proposal<B> {
	const refusals = Object.entries(proposal.refusals ?? {}).map(([name, refusal]) => [name, say(refusal)] as const);
	return { ...proposal, result: say(proposal.result), refusals: Object.fromEntries(refusals) };
}
