import type { RecordName, Records } from '../../ports/registry.ts';
import { type Put, type Store, StoreBusy, type Write } from '../../ports/store.ts';

/** The writes of a decision, and its result if the store accepts them. */
export type Proposal<Result> = {
	readonly result: Result;
	/** The named writes of one transaction. Without writes, nothing is committed. */
	readonly writes?: Readonly<Record<string, Write | readonly Write[]>>;
	/** The result if a named write is refused. Any other refusal is a lost race: the change is decided again. */
	readonly refusals?: Readonly<Record<string, Result>>;
	/** Asked before each try to commit; once it is false, the change is decided again. Absent: it may be committed at any time. */
	readonly inTime?: () => boolean;
	/**
	 * Runs beside the commit, so that it also happens if the function dies right after. It must do no harm if the commit is
	 * refused, or becomes visible later.
	 */
	readonly beside?: () => Promise<unknown>;
	/** Runs after the commit. If it fails or is lost, the sweep does the work. */
	readonly afterwards?: () => Promise<unknown>;
};

/** Guards a write: the record is as it was read, null if there was none. */
export const asRead = (record: { readonly version: number } | null) =>
	record === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: record.version } as const);

/**
 * Writes the next version of a record, unless the store has another version than the one before. Writes the first version
 * only if there is no record.
 */
export function putNext<N extends RecordName>(record: N, item: Records[N] & { readonly version: number }): Put<N> {
	const { version } = item;
	const guard = asRead(version === 1 ? null : { version: version - 1 });
	return { op: 'put', record, item, guard };
}

/** The edge's additions to a change, for its request. */
export type ForRequest<Result> = {
	/** The write, in the same transaction, that stores this result's response for a repeated request. */
	readonly keepResponse?: KeepResponse<Result>;
	/** Whether the client has seen this state of the resource (If-Match). Called for each version that is read. */
	readonly hasSeen?: (current: Result) => boolean;
};
type KeepResponse<Result> = (result: Result) => readonly Write[];

/** Maximum number of tries after lost races. A record has few writers, so more than a few lost races are a fault. */
const TRIES = 32;

/** A concurrent request with the same Idempotency-Key has committed first: this one gets its response. */
export class IdempotencyConflict extends Error {
	override readonly name = 'IdempotencyConflict';
}

/**
 * The unit of work: reads, decides, and commits the decision together with the stored response in one transaction. It
 * may call `decide` several times, each time with newly read records. Throws `StoreBusy` if every try has lost its
 * race, and `IdempotencyConflict` if a concurrent request with the same key has committed.
 */
export async function change<State, Result>(
	work: {
		/** A record that was already read: the first try uses it. */
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

/** Commits named writes; `refused` has the names of the writes that the store refused. */
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
