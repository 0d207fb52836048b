import { limitsOf } from '../../domain/access/limits.ts';
import { apiCount, countIn, periodAt } from '../../domain/access/rate-limit.ts';
import { hashOf } from '../../domain/kernel/link-token.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AtDesk } from './enter-desk.ts';

/**
 * Counts a form of the developers' pages against the limits of the API, as if the desk were one more key: a stolen session can
 * do no more than a stolen key. `slow_operation`: the operation of the API that the form stands for, if that is slow.
 */
export async function countForm(
	{ workspace }: AtDesk,
	slow_operation: string | null,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const use = { workspace_id: workspace.id, api_key_id: 'desk', limits: limitsOf(workspace), slow_operation };
	return (await store.count(apiCount(use, clock.now()).count)).counted;
}

/** The most forms of one person in a minute of the clock: two a second, more than a person can send. */
const MOST_FORMS_A_MINUTE = 120;
const MINUTE_SECONDS = 60;

/** Counts a form of the shop's pages; false: the person has sent enough of them in this minute. */
export async function countPress(
	{ workspace, person }: AtDesk,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const minute = periodAt(MINUTE_SECONDS, clock.now());
	const name = `desk-forms#${workspace.id}#${hashOf(Buffer.from(person.address))}`;
	return (await store.count(countIn(minute, name, { used: MOST_FORMS_A_MINUTE }))).counted;
}
