import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import type { Ports } from '../../shared/ports/ports.ts';
import {
	type DeadLetterContent,
	judgeDeadLetter,
	type Verdict,
} from '../../shared/use-cases/dead-letters/judge-dead-letter.ts';
import { replayDeadLetter } from '../../shared/use-cases/dead-letters/replay-dead-letter.ts';
import { evenPace, type Session } from '../session.ts';
import type { DeadLetter, DeadLetterQueue } from './queue.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'> & {
	readonly deadLetters: DeadLetterQueue;
};

/**
 * For how long a message that this program holds is hidden from other programs. After this time, other programs see the
 * message again, even if this program was killed.
 */
const HOLD_SECONDS = 30;
const MOST_AT_ONCE = 10;
/**
 * SQS may leave out a message in one answer. So the program stops only after this many batches in a row without a new
 * message.
 */
const MOST_ROUNDS = 3;

/**
 * Reads what a message is about. Any program may have written the message, so the content of an unknown message is never
 * shown.
 */
function readLetter(body: string): DeadLetterContent {
	const value = parseJson(body);
	const delivery = messageSchemas.retries.safeParse(value);
	if (delivery.success) return { kind: 'delivery', message: delivery.data };
	const leg = messageSchemas['hang-up-legs'].safeParse(value);
	if (leg.success) return { kind: 'leg', message: leg.data };
	const timer = messageSchemas['call-timers'].safeParse(value);
	if (timer.success) return { kind: 'call_timer', message: timer.data };
	const notice = messageSchemas['team-notices'].safeParse(value);
	return notice.success ? { kind: 'team_notice', message: notice.data } : { kind: 'unreadable' };
}

/**
 * What an operator sees of a message: its age, and the fields of the message if its kind is known. The fields are ids,
 * except that a request for a link to the desk also contains a mail address. Of an unknown message, only the size is shown.
 */
async function summaryOf({ id, body, sent_at_ms }: DeadLetter, { store, clock }: Deps) {
	const letter = readLetter(body);
	const { verdict, delivery } = await judgeDeadLetter(letter, { store, now_ms: clock.now() });
	return {
		message_id: id,
		kind: letter.kind === 'delivery' && letter.message.exhausted ? 'exhausted_delivery' : letter.kind,
		age_seconds: Math.round((clock.now() - sent_at_ms) / 1000),
		...('message' in letter ? letter.message : { bytes: Buffer.byteLength(body) }),
		...(delivery !== null && {
			workspace_id: delivery.workspace_id,
			event: delivery.event,
			delivery_status: delivery.status,
			attempts: delivery.attempt_count,
			reason: reasonOf(delivery.last_attempt),
		}),
		replay_would: verdict.verdict === 'drop' ? `drop: ${verdict.because}` : verdict.verdict,
	};
}

function reasonOf(attempt: { readonly error: string | null; readonly response_status: number | null } | null): string {
	if (attempt === null) return 'not attempted';
	return attempt.response_status === null ? `${attempt.error}` : `${attempt.error} (${attempt.response_status})`;
}

/**
 * Yields up to `limit` messages, each of them once. Messages that this program holds are added to `waitingLetters`, so that they
 * can be released later.
 */
async function* freshLetters(
	{ deadLetters }: Deps,
	limit: number,
	waitingLetters: Map<string, DeadLetter>,
): AsyncGenerator<DeadLetter> {
	const seenIds = new Set<string>();
	for (let rounds = 0; rounds < MOST_ROUNDS && seenIds.size < limit; ) {
		const letters = await deadLetters.take(Math.min(MOST_AT_ONCE, limit - seenIds.size), HOLD_SECONDS);
		for (const letter of letters) waitingLetters.set(letter.id, letter);
		const fresh = letters.filter(({ id }) => !seenIds.has(id));
		rounds = fresh.length === 0 ? rounds + 1 : 0;
		for (const { id } of fresh) seenIds.add(id);
		yield* fresh;
	}
}

/** Handles each message. Messages whose work is not done are released at the end, even after an error. */
async function eachLetter(
	deps: Deps,
	session: Session,
	limit: number,
	work: (letter: DeadLetter) => Promise<'done' | 'kept'>,
): Promise<void> {
	const waitingLetters = new Map<string, DeadLetter>();
	try {
		for await (const letter of freshLetters(deps, limit, waitingLetters)) {
			if (session.stopped()) return;
			if ((await work(letter)) === 'done') waitingLetters.delete(letter.id);
		}
	} finally {
		for (const letter of waitingLetters.values()) await deps.deadLetters.release(letter);
	}
}

/** The messages in the queue, at most `limit`, oldest first. */
export async function listDeadLetters(limit: number, deps: Deps, session: Session) {
	const messages: Awaited<ReturnType<typeof summaryOf>>[] = [];
	await eachLetter(deps, session, limit, async (letter) => {
		messages.push(await summaryOf(letter, deps));
		return 'kept';
	});
	messages.sort((a, b) => b.age_seconds - a.age_seconds);
	return { about: await deps.deadLetters.depth(), messages };
}

export type ReplayOptions = {
	readonly per_second: number;
	readonly dry_run: boolean;
	readonly drop_unreadable: boolean;
};

/**
 * Empties the dead-letter queue. A message is deleted only after its work has been started again, or if its work is no longer
 * needed. So if a run is stopped or killed, the next run continues with the remaining messages.
 */
export async function replayQueue(options: ReplayOptions, deps: Deps, session: Session) {
	const counts = new Map<string, number>();
	const total = await deps.deadLetters.depth();
	const pace = evenPace(options.per_second, session, () => performance.now());
	let letterCount = 0;
	await eachLetter(deps, session, Number.POSITIVE_INFINITY, async (letter) => {
		const { verdict } = await judgeDeadLetter(readLetter(letter.body), {
			store: deps.store,
			now_ms: deps.clock.now(),
		});
		const starts = verdict.verdict !== 'drop' && verdict.verdict !== 'keep';
		if (starts && !options.dry_run) await pace();
		const isRemoved = !options.dry_run && (await carryOut(verdict, options, deps));
		if (isRemoved) await deps.deadLetters.drop(letter);
		const name = countedAs(verdict, options);
		counts.set(name, (counts.get(name) ?? 0) + 1);
		letterCount += 1;
		const of = Math.max(total, letterCount);
		session.progress(() => ({ text: `${letterCount} of about ${of}: ${summary(counts)}`, share: letterCount / of }));
		return isRemoved ? 'done' : 'kept';
	});
	const depth = await deps.deadLetters.depth();
	return {
		dry_run: options.dry_run,
		stopped: session.stopped(),
		seen: letterCount,
		...Object.fromEntries(counts),
		left: depth,
	};
}

async function carryOut(verdict: Verdict, { drop_unreadable }: ReplayOptions, deps: Deps): Promise<boolean> {
	return verdict.verdict === 'keep' ? drop_unreadable : replayDeadLetter(verdict, deps);
}

function countedAs(verdict: Verdict, { drop_unreadable }: ReplayOptions): string {
	switch (verdict.verdict) {
		case 'replay':
			return 'replayed';
		case 'hang_up':
			return 'hung_up_again';
		case 'tell_again':
			return 'told_again';
		case 'drop':
			return `dropped_${verdict.because}`;
		case 'keep':
			return drop_unreadable ? 'dropped_unreadable' : 'kept_unreadable';
	}
}

const summary = (counts: ReadonlyMap<string, number>): string =>
	[...counts].map(([name, count]) => `${count} ${name}`).join(', ');
