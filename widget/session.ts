import type { WidgetRequest } from '../shared/contract/visitors/widget.ts';
import type { Api, CallRequest, Refusal } from './api.ts';
import { atRest, type Model, moodOf, stepOf } from './model.ts';
import { phoneFaults } from './read-number.ts';
import { createRunner, type Run } from './runner.ts';
import type { TextKey } from './words.ts';

/** A request that nothing answers is sent this often before the visitor is asked to look. */
const TRIES = 4;

/** Codes that another number mends. Each is also the key of its text. */
const NUMBER_CODES = ['phone_invalid', 'country_not_allowed', 'phone_not_callable'] as const;

/** What the service says is wrong with the number: it has the same list of faults. */
function faultIn(errors: Refusal['errors']): TextKey | undefined {
	return phoneFaults.find((fault) => errors?.some(({ pointer, code }) => pointer === '/phone' && code === fault));
}

/** What becomes of the form when its request is refused. */
function refused({ code, next_open_at, errors }: Refusal, { open, config, reading }: Model): Model {
	const phone = NUMBER_CODES.find((known) => known === code);
	const back = { ...atRest(open, config), reading };
	if (phone) return { ...back, errors: { phone: faultIn(errors) ?? phone } };
	if (code === 'outside_business_hours' && config) {
		const closed = { ...config, open: false, next_open_at: next_open_at ?? null };
		return { ...atRest(open, closed), reading };
	}
	return { ...back, state: 'error', errors: { form: 'error' } };
}

/** What goes on between the visitor and the service. Tells `onChange` of every new model. */
export function createSession(api: Api, onChange: (model: Model) => void) {
	const runner = createRunner();
	let model = atRest(false, null);

	function change(patch: Partial<Model>): void {
		model = { ...model, ...patch };
		onChange(model);
	}

	/** A few tries, then back to the form with `state: error`. */
	function start(run: Run): void {
		runner.start(run, (failures) => {
			if (failures < TRIES) return true;
			change({ state: 'error', step: null, errors: { form: 'unreachable' } });
			return false;
		});
	}

	function follow({ status, poll_after_ms }: CallRequest): number | null {
		change({ state: status, step: stepOf(status, model.step), errors: {} });
		return moodOf(status) === 'live' ? poll_after_ms : null;
	}

	function poll(id: string, delayMs: number): void {
		const run: Run = async (signal) => {
			const { data } = await api.status(id, signal);
			if (data) return follow(data);
			change({ state: 'error' });
			return null;
		};
		const troubled = (failures: number): true => {
			// One missed answer is not worth a word.
			if (failures > 1) change({ errors: { form: 'unreachable' } });
			return true;
		};
		runner.start(run, troubled, delayMs);
	}

	return {
		model: () => model,
		change,
		watch: runner.watch,
		/** Asks whether the team is there; what the visitor has before them stays until the answer comes. */
		load(): void {
			start(async (signal) => {
				const { data } = await api.config(signal);
				change(data ? { ...atRest(model.open, data), reading: model.reading } : { state: 'error' });
				return null;
			});
		},
		/** Asks for a call now, or for a call back later. */
		send(wish: WidgetRequest, later: boolean): void {
			change({ state: 'sending', phone: model.reading.shown, errors: {} });
			start(async (signal) => {
				const answer = await api.create(later ? 'callback-leads' : 'call-requests', wish, signal);
				if (!answer.data) change(refused(answer, model));
				else if ('poll_after_ms' in answer.data) {
					const wait = follow(answer.data);
					if (wait !== null) poll(answer.data.id, wait);
				} else change({ state: 'lead_sent', step: null });
				return null;
			});
		},
	};
}
