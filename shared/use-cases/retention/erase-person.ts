import type { CallRecord } from '../../domain/calls/call-record.ts';
import { erasedUsage, type NumberUsage } from '../../domain/calls/number-usage.ts';
import { maskPhone } from '../../domain/kernel/phone-mask.ts';
import { callOwner, numberSubject } from '../../domain/kernel/phone-number.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, callIdsOf } from '../../domain/notices/callback-link.ts';
import { noticeChannels, noticeId } from '../../domain/notices/team-notice.ts';
import { erasedEvent } from '../../domain/webhooks/event.ts';
import type { Consent, RecordKeys } from '../../ports/registry.ts';
import { type Remove, type Store, StoreBusy, type Write } from '../../ports/store.ts';
import type { Macs } from '../../ports/vault.ts';
import { numberHashes } from '../access/keyed-hash.ts';
import type { CallDeps } from '../calls/advance-call.ts';
import { cancelCall } from '../calls/cancel-call.ts';
import { change } from '../kernel/unit-of-work.ts';
import { type ErasesLegs, eraseLegs, type LeftAtProvider } from './erase-legs.ts';

type Deps = CallDeps & ErasesLegs & { readonly macs: Macs };

const countNames = [
	'calls_canceled',
	/** Records of calls and leads that are kept, with the masked number, but without the name and the note. */
	'calls_kept_masked',
	'leads_kept_masked',
	'leads_dismissed',
	'names_removed',
	'notes_removed',
	'sealed_numbers_removed',
	'consents_removed',
	'consents_kept',
	/** Legs whose record the provider has now deleted, and legs whose record the provider no longer had. */
	'provider_records_removed',
	'provider_records_gone',
] as const;
type Counts = Record<(typeof countNames)[number], number>;
const NOTHING: Counts = {
	calls_canceled: 0,
	calls_kept_masked: 0,
	leads_kept_masked: 0,
	leads_dismissed: 0,
	names_removed: 0,
	notes_removed: 0,
	sealed_numbers_removed: 0,
	consents_removed: 0,
	consents_kept: 0,
	provider_records_removed: 0,
	provider_records_gone: 0,
};
type Tally = Counts & { readonly provider_records_left: LeftAtProvider[] };

/** The receipt of one run. The receipt shows only the mask of the number. */
export type ErasureReceipt = Readonly<Counts> & {
	readonly receipt_id: string;
	readonly workspace_id: string;
	readonly phone_masked: string;
	readonly erased_at: string;
	/** Legs whose records were not deleted at the provider, and why. */
	readonly provider_records_left: readonly LeftAtProvider[];
	/** True if the number's own record was removed. That record contains how many calls went to the number, and when. */
	readonly usage_removed: boolean;
	/** True if the suppression was kept, because a person who asked never to be called must not be called again. */
	readonly suppressed: boolean;
};

/**
 * The most passes over a person's records. If each pass has found a new request, a person must be sending requests on
 * purpose.
 */
const MOST_LOOKS = 100;

/**
 * Removes a person's data by the phone number: encrypted numbers, names, notes, references, the number's own record, and
 * the evidence of consent unless it is kept for claims. Calls and leads stay for the workspace's books, with only the
 * masked number. Live calls are canceled and pending leads are dismissed first, because the person can no longer be called.
 * Each call or lead is changed in one transaction, which also removes its consent. Calls and leads are found by their
 * consents. So a run that was interrupted can simply be repeated.
 */
export async function erasePerson(
	person: { readonly workspace_id: string; readonly e164: string; readonly keep_consent: boolean },
	deps: Deps,
	onProgress: (doneCount: number, totalCount: number) => void = () => undefined,
): Promise<ErasureReceipt> {
	const { workspace_id, e164, keep_consent } = person;
	const hashes = await numberHashes(deps.macs, workspace_id, e164);
	const counts: Tally = { ...NOTHING, provider_records_left: [] };
	const subjectsDone = new Set<string>();
	for (let looks = 0, hasNew = true; hasNew; looks += 1) {
		// Read again until nothing new is found, because a request may have arrived during the previous pass.
		if (looks === MOST_LOOKS) throw new StoreBusy('the person asks to be called again and again');
		const consentsNow = (await Promise.all(hashes.map((hash) => deps.store.consentsOf(hash)))).flat();
		const consents = consentsNow.filter(({ subject }) => !subjectsDone.has(subject));
		hasNew = consents.length > 0;
		const total = subjectsDone.size + consents.length;
		for (const consent of consents) {
			subjectsDone.add(consent.subject);
			await eraseCalledBack(consent, counts, deps);
			await eraseSubject(consent, keep_consent, counts, deps);
			onProgress(subjectsDone.size, total);
		}
	}
	const usages = [];
	for (const hash of hashes) usages.push(await eraseUsage(hash, deps.store));
	return {
		receipt_id: deps.ids.next(),
		workspace_id,
		phone_masked: maskPhone(e164),
		erased_at: new Date(deps.clock.now()).toISOString(),
		...counts,
		usage_removed: usages.some(({ usage_removed }) => usage_removed),
		suppressed: usages.some(({ suppressed }) => suppressed),
	};
}

async function eraseSubject(consent: Consent, keepConsent: boolean, counts: Tally, deps: Deps): Promise<void> {
	await endAndForget(consent, counts, deps);
	const doneCounts = await change<SubjectState, Partial<Counts>>(
		{
			read: async () => ({ masked: await planMasking(consent, deps), sealed: await sealedNumber(consent, deps) }),
			decide: ({ masked, sealed }) => ({
				result: {
					...masked.effect,
					...(keepConsent ? { consents_kept: 1 } : { consents_removed: 1 }),
					sealed_numbers_removed: sealed.length,
				},
				writes: { subject: masked.writes, sealed, consent: keepConsent ? [] : [removal('consent', consent)] },
			}),
		},
		deps.store,
	);
	addCounts(counts, doneCounts);
}

type SubjectState = { readonly masked: MaskingPlan; readonly sealed: readonly Write[] };

/**
 * Erases what belongs to a lead or a missed call: the notices of a lead, the link, and the calls that were placed with the
 * link. These calls have no consent of their own, so they can be found only by the link. The link is removed last, and only
 * if it is unchanged. If a team member uses the link during the erasure, the link is read again, and its new call is
 * erased, too.
 */
async function eraseCalledBack({ subject, ...consent }: Consent, counts: Tally, deps: Deps): Promise<void> {
	const { kind, id: lead_id } = numberSubject(subject);
	if (kind === 'lead')
		await deps.store.commit(
			noticeChannels.map((channel) => removal('team_notice', { id: noticeId(lead_id, channel) })),
		);
	await change<CallbackLink | null, null>(
		{
			read: () => deps.store.get('callback_link', { lead_id }),
			decide: async (link) => {
				if (link === null) return { result: null };
				for (const id of callIdsOf(link)) await eraseCall({ ...consent, subject: callOwner(id) }, counts, deps);
				const guard = { if: 'version', version: link.version } as const;
				return { result: null, writes: { link: { op: 'remove', record: 'callback_link', key: { lead_id }, guard } } };
			},
		},
		deps.store,
	);
}

async function eraseCall(call: Consent, counts: Tally, deps: Deps): Promise<void> {
	await endAndForget(call, counts, deps);
	const doneCounts = await change<MaskingPlan, Partial<Counts>>(
		{
			read: () => planMasking(call, deps),
			decide: ({ writes, effect }) => ({ result: effect, writes: { call: writes } }),
		},
		deps.store,
	);
	addCounts(counts, doneCounts);
}

async function endAndForget({ subject, workspace_id }: Consent, counts: Tally, deps: Deps): Promise<void> {
	const { kind, id } = numberSubject(subject);
	if (kind !== 'call') return;
	const { outcome } = await cancelCall({ workspace_id, id }, deps);
	if (outcome === 'canceled') addCounts(counts, { calls_canceled: 1 });
	// Do this before the consent is removed, because a repeated run finds the call by its consent.
	const { removed, gone, left } = await eraseLegs(id, deps);
	addCounts(counts, { provider_records_removed: removed, provider_records_gone: gone });
	counts.provider_records_left.push(...left);
}

async function sealedNumber({ subject: owner }: Consent, { store }: Deps): Promise<readonly Write[]> {
	return (await store.get('sealed_number', { owner })) === null ? [] : [removal('sealed_number', { owner })];
}

function removal<N extends 'sealed_number' | 'consent' | 'team_notice'>(record: N, key: RecordKeys[N]): Remove<N> {
	return { op: 'remove', record, key, guard: { if: 'always' } };
}

function addCounts(counts: Counts, more: Partial<Counts>): void {
	for (const name of countNames) counts[name] += more[name] ?? 0;
}

type MaskingPlan = { readonly writes: readonly Write[]; readonly effect: Partial<Counts> };

function planMasking({ subject }: Consent, deps: Deps): Promise<MaskingPlan> {
	const { kind, id } = numberSubject(subject);
	return kind === 'call' ? planCallMasking(id, deps) : planLeadMasking(id, deps);
}

async function planCallMasking(id: string, { store }: Deps): Promise<MaskingPlan> {
	const call = await store.get('call', { id });
	if (call === null) return { writes: [], effect: {} };
	const doneCounts = { calls_kept_masked: 1 };
	const { number_hash, reference, ...otherFields } = call;
	if (call.visitor_name === null && number_hash === undefined && reference === undefined)
		return { writes: [], effect: doneCounts };
	const item: CallRecord = { ...otherFields, version: call.version + 1, visitor_name: null };
	const guard = { if: 'version', version: call.version } as const;
	const names_removed = call.visitor_name === null ? 0 : 1;
	return { writes: [{ op: 'put', record: 'call', item, guard }], effect: { ...doneCounts, names_removed } };
}

async function planLeadMasking(id: string, { store, clock }: Deps): Promise<MaskingPlan> {
	const lead = await store.get('callback_lead', { id });
	if (lead === null) return { writes: [], effect: {} };
	const pending = lead.status === 'pending';
	const doneCounts = { leads_kept_masked: 1 };
	const now = new Date(clock.now()).toISOString();
	const event = await eraseInEvent(id, now, store);
	const { number_hash, ...otherFields } = lead;
	const { name, note, reference } = lead;
	const nothing = name === null && note === null && reference === null && number_hash === undefined;
	if (nothing && !pending) return { writes: event, effect: doneCounts };
	const item: CallbackLead = {
		...otherFields,
		reference: null,
		version: lead.version + 1,
		name: null,
		note: null,
		status: pending ? 'dismissed' : lead.status,
		updated_at: now,
	};
	const guard = { if: 'version', version: lead.version } as const;
	const more = {
		names_removed: name === null ? 0 : 1,
		notes_removed: note === null ? 0 : 1,
		leads_dismissed: pending ? 1 : 0,
	};
	const writes = [{ op: 'put', record: 'callback_lead', item, guard } as const, ...event];
	return { writes, effect: { ...doneCounts, ...more } };
}

/**
 * Removes the person's data from the event of a lead. The event itself is kept for its 30 days. Nothing else changes an
 * event, so the write needs no guard.
 */
async function eraseInEvent(leadId: string, erasedAt: string, store: Store): Promise<readonly Write[]> {
	const event = await store.get('event', { subject_id: leadId, kind: 'callback.requested' });
	const item = event && erasedEvent(event, erasedAt);
	return item === null ? [] : [{ op: 'put', record: 'event', item, guard: { if: 'always' } }];
}

/** Removes the number's own record. If the number is suppressed, only the suppression stays. */
async function eraseUsage(
	number_hash: string,
	store: Store,
): Promise<Pick<ErasureReceipt, 'usage_removed' | 'suppressed'>> {
	return change<NumberUsage | null, Pick<ErasureReceipt, 'usage_removed' | 'suppressed'>>(
		{
			read: () => store.get('number_usage', { number_hash }),
			decide: (usage) => {
				if (usage === null) return { result: { usage_removed: false, suppressed: false } };
				const guard = { if: 'version', version: usage.version } as const;
				const { suppressed } = usage;
				const number: Write = suppressed
					? { op: 'put', record: 'number_usage', item: erasedUsage(usage), guard }
					: { op: 'remove', record: 'number_usage', key: { number_hash }, guard };
				return { result: { usage_removed: !suppressed, suppressed }, writes: { number } };
			},
		},
		store,
	);
}
