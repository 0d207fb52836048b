import type { RecordName, Records } from '../../ports/registry.ts';
import { type Put, type Store, StoreBusy, type Write } from '../../ports/store.ts';

/** A decided change: its writes, and its result if the store accepts them. */
export type Proposal<Result> = {
	readonly result: Result;
	/** The writes of one transaction, by name. If there are none, nothing is committed. */
	readonly writes?: Readonly<Record<string, Write | readonly Write[]>>;
	/**
	 * The results for writes that the store may refuse, by the names of the writes. If the store refuses a write that has
	 * no such result, another process has changed a record first, and the change is decided again.
	 */
	readonly refusals?: Readonly<Record<string, Result>>;
	/**
	 * Called before each try to commit. If `inTime` returns false, the change is decided again. If `inTime` is absent,
	 * there is no time limit for the commit.
	 */
	readonly inTime?: () => boolean;
	/**
	 * Runs at the same time as the commit, so that `beside` runs even if the function dies right after the commit. `beside`
	 * must do no harm if the commit is refused, or if the effect of `beside` becomes visible before the commit does.
	 */
	readonly beside?: () => Promise<unknown>;
	/** Runs after the commit. If `afterwards` fails, or if the function dies before calling it, the sweep does the work. */
	readonly afterwards?: () => Promise<unknown>;
};

/** The guard of a write: the record must still be as it was read. Pass null if there was no record. */
export const asRead = (record: { readonly version: number } | null) =>
	record === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: record.version } as const);

/**
 * Writes a record's next version, if the store still has the previous version. Writes version 1 only if there is no record
 * yet.
 */
export function putNext<N extends RecordName>(record: N, item: Records[N] & { readonly version: number }): Put<N> {
	const { version } = item;
	const guard = asRead(version === 1 ? null : { version: version - 1 });
	return { op: 'put', record, item, guard };
}

/** What the HTTP layer adds to a change that a request asks for. */
export type ForRequest<Result> = {
	/**
	 * The writes that store the response to this result, so that a repeated request gets the same response. These writes
	 * join the transaction.
	 */
	readonly keepResponse?: KeepResponse<Result>;
	/** Whether the client has seen this state of the resource (If-Match). Called each time the resource is read. */
	readonly hasSeen?: (current: Result) => boolean;
};
type KeepResponse<Result> = (result: Result) => readonly Write[];

/**
 * How many times a change is tried if other processes keep changing the record first. A record has few writers, so more
 * than a few conflicts mean an error in the code.
 */
const TRIES = 32;

/**
 * Thrown if another request with the same Idempotency-Key has committed first. The request that was slower then returns the
 * response to the other request.
 */
export class IdempotencyConflict extends Error {
	override readonly name = 'IdempotencyConflict';
}

/**
 * Reads, decides, and commits the decision together with the stored response in one transaction. After a conflict, this
 * function reads again and calls `decide` again. Throws `StoreBusy` if every try ends in a conflict, and
 * `IdempotencyConflict` if a concurrent request with the same key has committed.
 */
export async function change<State, Result>(
	work: {
		/** A record that the caller has already read. The first try uses it. */
		readonly from?: State;
		readonly read: () => Promise<State>;
		readonly decide: (state: State) => Proposal<Result> | Promise<Proposal<Result>>;
	},
	store: Pick<Store, 'commit'>,
	keepResponse?: KeepResponse<Result>,
): Promise<Result> {
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const state = attempt === 0 && work.from !== undefined ? work.from : await work.read();
		const proposal = await work.decide(state);
		const { result, refusals, afterwards } = proposal;
		const outcome = await commit(proposal, keepResponse?.(result) ?? [], store);
		if (outcome.committed) {
			await afterwards?.();
			return result;
		}
		const { refused: refusedWrites } = outcome;
		if (refusedWrites.includes(RESPONSE)) throw new IdempotencyConflict('the request was answered under its key');
		const [refusal_result] = refusedWrites.flatMap((name) => {
			const refusal = refusals?.[name];
			return refusal === undefined ? [] : [refusal];
		});
		if (refusal_result !== undefined) return refusal_result;
	}
	throw new StoreBusy('too many changes of one record at once');
}

const RESPONSE = 'response';

type CommitOutcome = { readonly committed: true } | { readonly committed: false; readonly refused: readonly string[] };

/** Commits the named writes. `refused` lists the names of the writes that the store refused. */
async function commit<Result>(
	{ writes = {}, refusals = {}, inTime, beside }: Proposal<Result>,
	response: readonly Write[],
	store: Pick<Store, 'commit'>,
): Promise<CommitOutcome> {
	const unknownName = Object.keys(refusals).find((name) => writes[name] === undefined);
	if (unknownName !== undefined) throw new Error(`no write is named ${unknownName}`);
	const parts = Object.entries({ ...writes, [RESPONSE]: response });
	const namedWrites = parts.flatMap(([name, part]) => [part].flat().map((write) => ({ name, write })));
	if (namedWrites.length === 0) return { committed: true };
	const committing = store.commit(
		namedWrites.map(({ write }) => write),
		inTime,
	);
	const [outcome] = await Promise.all([committing, beside?.()]);
	if (outcome.committed) return outcome;
	const refusedNames = outcome.refused.flatMap((position) => namedWrites[position]?.name ?? []);
	return { committed: false, refused: refusedNames };
}

export function mapProposal<A, B>(proposal: Proposal<A>, say: (result: A) => B): Proposal<B> {
	const refusals = Object.entries(proposal.refusals ?? {}).map(([name, refusal]) => [name, say(refusal)] as const);
	return { ...proposal, result: say(proposal.result), refusals: Object.fromEntries(refusals) };
}
