import type { WidgetLeadRequest } from '../../../shared/contract/widget/widget.ts';
import { tellDeveloper } from '../developer.ts';
import { tell, tellFailure } from '../tell.ts';
import en from '../texts/en.json' with { type: 'json' };
import type { TextKey } from '../words.ts';
import { type Api, type ApiResponse, type CallRequest, type Lead, OtherAnswer, type Refusal } from './api.ts';
import { createLiveCall, createState } from './live-call.ts';
import type { Memory } from './memory.ts';
import { atRest, type Errors, type Model, NO_CALL } from './model.ts';
import { TRIES } from './pace.ts';
import { createRunner, type Run } from './runner.ts';

/** Codes of problems that the visitor can solve with another number. Each is also the key of its text. */
const NUMBER_CODES = ['phone_invalid', 'country_not_allowed', 'phone_not_callable'] as const;
/** Codes and reasons that have a sentence of their own. Each is also the key of its text. */
const SAID = ['switched_off', 'no_team', 'daily_limit', 'rate_limited', 'calls_unavailable'] as const;
/** Codes of problems that only the developer of the site can solve. */
const SETUP_CODES = ['invalid_workspace_key', 'origin_not_allowed', 'request_header'] as const;

const hasText = (code: string): code is TextKey => Object.hasOwn(en, code);

/**
 * What the service says is wrong with the number, which is also the key of a text. Undefined if there is no such text: a newer
 * service may send errors that this widget does not know.
 */
function faultIn(errors: Refusal['errors']): TextKey | undefined {
	return errors?.flatMap(({ pointer, code }) => (pointer === '/phone' && hasText(code) ? [code] : []))[0];
}

/**
 * The sentence for a refusal of the whole request. If the setup is wrong, or if the refusal has a `reason`, the browser's console
 * gets a line for the developer, too.
 */
function sentenceFor({ code, reason }: Refusal, workspaceKey: string, trouble?: unknown): TextKey {
	const setup = SETUP_CODES.find((known) => known === code);
	const fault = setup ?? reason;
	if (fault) tellDeveloper(fault, workspaceKey, trouble);
	return setup ? 'not_set_up' : (SAID.find((known) => known === reason || known === code) ?? 'error');
}

function afterRefusal(refusal: Refusal, { open, config, later, reading }: Model, workspaceKey: string): Model {
	const { code, next_open_at, errors } = refusal;
	const phone = NUMBER_CODES.find((known) => known === code);
	const back = { ...atRest(open, config, later), reading };
	if (phone) return { ...back, errors: { phone: faultIn(errors) ?? phone } };
	if (code === 'outside_business_hours' && config) {
		const closed = { ...config, open: false, next_open_at: next_open_at ?? null };
		return { ...atRest(open, closed), reading };
	}
	return { ...back, state: 'error', errors: { form: sentenceFor(refusal, workspaceKey) } };
}

/** Finds out why the first request of the page got no response that the widget can use. Null if the network is the reason. */
async function faultBehind(
	api: Api,
	trouble: unknown,
): Promise<'base_url' | 'request_header' | 'origin_not_allowed' | null> {
	if (trouble instanceof OtherAnswer) return 'base_url';
	if (await api.isAllowed()) return 'request_header';
	return (await api.isReachable()) ? 'origin_not_allowed' : null;
}

/** Connects the visitor with the service. `onChange` is called with every new model. */
export function createSession(api: Api, memory: Memory, workspaceKey: string, onChange: (model: Model) => void) {
	const runner = createRunner();
	const state = createState(memory, onChange);
	const { model, change } = state;
	const { begin, recall, cancel } = createLiveCall(api, memory, runner, state, load);

	/**
	 * Called if no try got a response that the widget can use, for example because there is no network, or because the browser
	 * hides the response to an origin that is refused.
	 */
	async function giveUp(trouble: unknown): Promise<void> {
		change({ state: 'error', step: null, errors: { form: 'unreachable' } });
		// If the configuration was loaded, the origin is known to be allowed.
		const code = model().config ? null : await faultBehind(api, trouble);
		if (code === null || code === 'base_url')
			tell(`${api.baseUrl} cannot be used (${trouble}). data-base-url is the deployment's output CallBackBaseUrl`);
		if (code === null || model().state !== 'error') return;
		change({ errors: { form: code === 'base_url' ? 'not_set_up' : sentenceFor({ code }, workspaceKey, trouble) } });
	}

	/** Retries a few times, then shows the form again with `state: error`. */
	function start(run: Run): void {
		runner.start(run, (failures, trouble) => {
			if (failures < TRIES) return true;
			void giveUp(trouble).catch(tellFailure);
			return false;
		});
	}

	/**
	 * Checks whether the team is open. The view does not change until the response arrives. With `errors`, the browser's
	 * cache is ignored, because a request was refused.
	 */
	function load(errors?: Errors): void {
		if (api.fault) {
			tellDeveloper(api.fault, workspaceKey);
			change({ state: 'error', errors: { form: 'not_set_up' } });
			return;
		}
		start(async (signal) => {
			const result = await api.config(signal, !!errors);
			const { open, later, reading } = model();
			if (result.data) {
				if (result.data.unavailable) tellDeveloper(result.data.unavailable, workspaceKey);
				change({ ...atRest(open, result.data, later), reading, errors: errors ?? {} });
			} else change({ state: 'error', errors: { form: sentenceFor(result, workspaceKey) } });
			return null;
		});
	}

	/**
	 * Shows the result of a request. If a limit refuses a call and this tab has requested a call before, the earlier call is
	 * shown.
	 */
	function showOutcome(result: ApiResponse<CallRequest | Lead>, later: boolean, region: string): void {
		const { data, code, secret = '' } = result;
		if (!data) {
			const resumes = code === 'rate_limited' && !later && recall();
			// The consent text has changed since it was shown. Load the new text, so that the visitor can read it.
			if (code === 'consent_required') load({ consent: code });
			else if (!resumes) change(afterRefusal(result, model(), workspaceKey));
		} else if ('poll_after_ms' in data) begin(data, secret, region);
		else change({ state: 'lead_sent', id: data.id, step: null });
	}

	function send(request: WidgetLeadRequest, later: boolean, region: string): void {
		change({ ...NO_CALL, state: 'sending', phone: model().reading.shown });
		const path = later ? 'callback-leads' : 'call-requests';
		start(async (signal) => {
			showOutcome(await api.create(path, request, signal), later, region);
			return null;
		});
	}

	return { model, change, watch: runner.watch, recall, load, send, cancel };
}
