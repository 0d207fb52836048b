import { type Store, StoreBusy, type Write } from '../../ports/store.ts';

/** The writes of a decision, and its result if the store accepts them. */
export type Proposal<Result> = {
	readonly result: Result;
	/** The named writes of one transaction. Without writes, nothing is committed. */
	readonly writes?: Readonly<Record<string, Write | readonly Write[]>>;
	/** The result if a named write is refused. Any other refusal is a lost race: the change is decided again. */
	readonly refusals?: Readonly<Record<string, Result>>;
	/** Runs after the commit. If it fails or is lost, the sweep does the work. */
	readonly afterwards?: () => Promise<unknown>;
};

/** The edge's additions to a change, for its request. */
export type Answering<Result> = {
	/** The write, in the same transaction, that stores this result's response for a repeated request. */
	readonly keepAnswer?: KeepAnswer<Result>;
	/** Whether the client has seen this state of the resource (If-Match). Called for each version that is read. */
	readonly hasSeen?: (current: Result) => boolean;
};
type KeepAnswer<Result> = (result: Result) => readonly Write[];

/** Maximum number of tries after lost races. A record has few writers, so more than a few lost races are a fault. */
const TRIES = 32;

/**
 * Two requests with one Idempotency-Key ran concurrently, and the other was faster: this request gets the same response.
 */
export class AnsweredMeanwhile extends Error {
	override readonly name = 'AnsweredMeanwhile';
}

/**
 * The unit of work: reads, decides, and commits the decision together with the stored response in one transaction. It may
 * call `decide` several times, each time with newly read records. Throws `StoreBusy` if every try has lost its race, and
 * `AnsweredMeanwhile` if a concurrent request with the same key has been answered.
 */
export async function change<Seen, Result>(
	work: {
		/** A record that was already read: the first try uses it. */
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
		if (refused.includes(ANSWER)) throw new AnsweredMeanwhile('the request was answered under its key');
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

/** Commits named writes; `refused` has the names of the writes that the store refused. */
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

/** Maps the result and the refusals of a proposal. */
export function inWords<A, B>(proposal: Proposal<A>, say: (result: A) => B): Proposal<B> {
	const refusals = Object.entries(proposal.refusals ?? {}).map(([name, refusal]) => [name, say(refusal)] as const);
	return { ...proposal, result: say(proposal.result), refusals: Object.fromEntries(refusals) };
}
