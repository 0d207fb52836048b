import type { Api, CallRequest } from './api.ts';
import type { Memo, Memory } from './memory.ts';
import { atRest, isMissed, type Model, moodOf, stepOf } from './model.ts';
import { TRIES } from './pace.ts';
import type { Run, Runner } from './runner.ts';

type Own = Omit<Memo, 'open'>;

/**
 * Holds the model and the visitor's live call, and keeps the call in the tab's storage. Calls `onChange` with every new model.
 */
export function createState(memory: Memory, onChange: (model: Model) => void) {
	let model = atRest(false, null);
	let own: Own | null = null;
	return {
		model: () => model,
		own: () => own,
		change(patch: Partial<Model>): void {
			model = { ...model, ...patch };
			if (own) memory.write({ ...own, open: model.open });
			onChange(model);
		},
		remember(call: Own | null): void {
			own = call;
			if (!call) memory.write(null);
		},
	};
}
export type SessionState = ReturnType<typeof createState>;

/** How the model shows a call. `mayCancel` is true until the call is connected, if this tab has the secret of the call. */
function shownAs(call: CallRequest, { step, talkingSince }: Model, secret = ''): Partial<Model> {
	const { status, failure_reason = null, visitor_phone_rings = false, connected_for_ms, duration_seconds } = call;
	const missed = isMissed({ state: status, reason: failure_reason });
	const begins = status === 'connected' ? performance.now() - (connected_for_ms ?? 0) : null;
	return {
		id: call.id,
		state: status,
		step: missed ? null : stepOf(status, step),
		...(missed && { later: true }),
		errors: {},
		reason: failure_reason,
		ownPhoneRings: visitor_phone_rings,
		talkingSince: talkingSince ?? begins,
		talkedSeconds: duration_seconds || null,
		mayCancel: moodOf(status) === 'live' && status !== 'connected' && !!secret,
	};
}

/** Continues to poll after failures. The visitor is told only if two polls in a row have failed. */
const patience =
	(change: SessionState['change']) =>
	(failures: number): true => {
		if (failures > 1) change({ errors: { form: 'unreachable' } });
		return true;
	};

/** Follows the visitor's call until it ends. `load` shows the form again. */
export function createLiveCall(
	api: Api,
	memory: Memory,
	runner: Runner,
	{ model, own, change, remember }: SessionState,
	load: () => void,
) {
	/** Shows the call's status. Returns how long to wait before the next poll, or null if the call has ended. */
	function follow(call: CallRequest): number | null {
		const live = moodOf(call.status) === 'live';
		if (!live) remember(null);
		change(shownAs(call, model(), own()?.secret));
		return live ? call.poll_after_ms : null;
	}

	/**
	 * Stops following a call that the service no longer knows, or whose end another page may have shown. If another page of this
	 * tab has requested the call (`found`), the form is shown again. Otherwise an error is shown.
	 */
	function lose(found: boolean): null {
		const { open, config } = model();
		remember(null);
		change(found ? atRest(open, config) : { state: 'error', mayCancel: false });
		if (found && open) load();
		return null;
	}

	/**
	 * Polls the status of a call. `found`: another page of this tab has requested the call. `forgotten`: the tab's storage no
	 * longer has the call, perhaps because another page has already shown its end. Then this page does not show the end
	 * again.
	 */
	function poll(id: string, delayMs = 0, found = false, forgotten = false): void {
		let mayBeShown = forgotten;
		const run: Run = async (signal) => {
			if (!model().config) change({ config: (await api.config(signal)).data ?? null });
			const { data } = await api.status(id, signal);
			if (!data || (mayBeShown && moodOf(data.status) !== 'live')) return lose(found);
			mayBeShown = false;
			return follow(data);
		};
		runner.start(run, patience(change), delayMs);
	}

	return {
		begin(call: CallRequest, secret: string, region: string): void {
			remember({ id: call.id, secret, region });
			const wait = follow(call);
			if (wait !== null) poll(call.id, wait);
		},
		/**
		 * Follows the call that this tab has requested, on this page or an earlier page. False if there is none. If the tab's
		 * storage no longer has the call, the call has ended on another page, or the page has cleared the storage.
		 */
		recall(): boolean {
			const memo = memory.read();
			const { id } = own() ?? {};
			if (!memo && id) poll(id, 0, true, true);
			if (memo && memo.id !== id) {
				remember(memo);
				change({ open: memo.open || model().open, state: 'idle', step: 0 });
				poll(memo.id, 0, true);
			}
			return !!memo;
		},
		cancel(): void {
			const { id, secret } = own() ?? {};
			if (!id || !secret) return;
			const run: Run = async (signal) => {
				const { data } = await api.cancel(id, secret, signal);
				if (data) follow(data);
				else poll(id);
				return null;
			};
			runner.start(run, (failures) => {
				if (failures < TRIES) return true;
				poll(id);
				return false;
			});
		},
	};
}
