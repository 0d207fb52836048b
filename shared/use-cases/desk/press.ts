import { limitsOf } from '../../domain/access/limits.ts';
import { apiCount, countIn, periodAt } from '../../domain/access/rate-limit.ts';
import { IDEMPOTENCY_SECONDS, idempotencyScope } from '../../domain/kernel/idempotency.ts';
import { hashOf } from '../../domain/kernel/link-token.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store, Write } from '../../ports/store.ts';
import type { AtDesk } from './enter-desk.ts';

// A press of a form's button. Each press counts against a limit. If a press is repeated, its work is done only once.

/**
 * Counts a form of the developers' pages against the API's limits, as if the desk were one more API key. So a stolen
 * session can do no more than a stolen key. `slow_operation` is the slow operation of the API that the form stands for, or
 * null if the form stands for no slow operation. False if a limit is reached.
 */
export async function countForm(
	{ workspace }: AtDesk,
	slow_operation: string | null,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const use = { workspace_id: workspace.id, api_key_id: 'desk', limits: limitsOf(workspace), slow_operation };
	return (await store.count(apiCount(use, clock.now()).count)).counted;
}

/**
 * How many forms one person may send in a minute of the clock. This is two forms a second, which is more than a person can
 * send.
 */
const MOST_FORMS_A_MINUTE = 120;
const MINUTE_SECONDS = 60;

/** Counts a form of the shop's pages. False if the person has sent too many forms in this minute. */
export async function countPress(
	{ workspace, person }: AtDesk,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const minute = periodAt(MINUTE_SECONDS, clock.now());
	const name = `desk-forms#${workspace.id}#${hashOf(Buffer.from(person.address))}`;
	return (await store.count(countIn(minute, name, { used: MOST_FORMS_A_MINUTE }))).counted;
}

/** Thrown if another request did the work of the same press of a button at the same time. */
class DoneMeanwhile extends Error {
	override readonly name = 'DoneMeanwhile';
}

/**
 * Identifies one press of a form's button. If the form is shown again, pressing its button is a new press. Null if the form
 * does not say when it was shown.
 */
export function pressOf({ workspace, session }: AtDesk, fields: Readonly<Record<string, string>>): string | null {
	if (fields['shown'] === undefined) return null;
	const key = JSON.stringify(Object.entries(fields).sort());
	return idempotencyScope({ workspace_id: workspace.id, operation: 'change-desk', resource_id: session.id, key });
}

/**
 * Does the work of a press at most once, even if the button is pressed twice. The first transaction of the work also writes
 * a mark, which shows that the work is done. Returns null if the work was done before. If `press` is null, the work is done
 * each time.
 */
export async function doOnce<Result>(
	press: string | null,
	work: (store: Store) => Promise<Result>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<Result | null> {
	if (press === null) return work(store);
	if ((await store.get('idempotency', { scope: press })) !== null) return null;
	const expires_at_epoch_s = Math.floor(clock.now() / 1000) + IDEMPOTENCY_SECONDS;
	const mark: Write = {
		op: 'put',
		record: 'idempotency',
		item: {
			scope: press,
			body_hash: '',
			status: 303,
			body: '',
			resource_id: null,
			sealed_secret: null,
			expires_at_epoch_s,
		},
		guard: { if: 'absent' },
	};
	let isMarked = false;
	const commit: Store['commit'] = async (writes, inTime) => {
		if (isMarked) return store.commit(writes, inTime);
		const outcome = await store.commit([...writes, mark], inTime);
		if (outcome.committed) isMarked = true;
		else if (outcome.refused.includes(writes.length)) throw new DoneMeanwhile('the form was pressed twice');
		return outcome;
	};
	try {
		const result = await work({ ...store, commit });
		// The work may have been refused only because the other press was faster.
		return isMarked || (await store.get('idempotency', { scope: press })) === null ? result : null;
	} catch (error) {
		if (error instanceof DoneMeanwhile) return null;
		// Something after the commit has failed, such as queueing a mail. Remove the mark, so that pressing the button
		// again repeats the work.
		const unmark: Write = { op: 'remove', record: 'idempotency', key: { scope: press }, guard: { if: 'always' } };
		if (isMarked) await store.commit([unmark]);
		throw error;
	}
}
