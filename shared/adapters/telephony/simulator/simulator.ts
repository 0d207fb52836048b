import * as z from 'zod/mini';
import type { Instruction } from '../../../domain/calls/instruction.ts';
import type {
	DialOutcome,
	DialRequest,
	LookupOutcome,
	ProviderRequest,
	Received,
	Rendered,
	Telephony,
} from '../../../ports/telephony.ts';
import { hangupOutcome } from '../call-resource.ts';
import { isOwnAddress, legPath } from '../callback-path.ts';
import { callHttp, codeOfFailure, type HttpAnswer, type ProviderOptions, parseJson } from '../provider-http.ts';
import {
	type DialBody,
	factOfReport,
	isSignedCallback,
	type LegInstruction,
	LegReport,
	SIGNATURE_HEADER,
} from './simulator-wire.ts';

const TIMEOUT_MS = 2000;

/** `url`: address of the phone network. `secret`: shared with the network: opens it, and signs what it sends. */
export const SimulatorSettings = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });
export type SimulatorOptions = z.infer<typeof SimulatorSettings> & Omit<ProviderOptions, 'api_url'>;

const Dialed = z.object({ provider_id: z.string() });

/** The simulated phone network as a provider. */
export function simulatorTelephony(settings: SimulatorOptions): Telephony {
	const { url, secret } = settings;
	const ask = (method: 'GET' | 'POST', path: string, body: string | null): Promise<HttpAnswer> =>
		callHttp({
			method,
			url: new URL(path, url),
			headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
			body,
			timeout_ms: TIMEOUT_MS,
		});
	return {
		async dial(request) {
			const body = dialBody(request, settings);
			return dialOutcome(await ask('POST', '/legs', JSON.stringify(body)));
		},
		async hangup(provider_id) {
			const answer = await ask('POST', `/legs/${encodeURIComponent(provider_id)}/hangup`, null);
			return hangupOutcome(
				answer,
				(status) => status === 409,
				() => null,
			);
		},
		async lookup(leg_id) {
			return lookupOutcome(await ask('GET', `/legs/${encodeURIComponent(leg_id)}`, null));
		},
		receive: async (request) => received(request, settings),
		render: (instruction) => rendered(instruction),
	};
}

function dialBody(request: DialRequest, { public_base_url, secret }: SimulatorOptions): DialBody {
	const { leg_id, call_id, role, to, ring_seconds } = request;
	const leg_path = legPath(secret, request);
	return { leg_id, call_id, role, to, ring_seconds, callback_base: public_base_url, leg_path };
}

function dialOutcome(answer: HttpAnswer): DialOutcome {
	const code = codeOfFailure(answer, () => null);
	if (answer.answer === 'not_sent') return { dial: 'throttled', retry_after_seconds: 1, code };
	if (answer.answer === 'lost') return { dial: 'unclear', code };
	const dialed = Dialed.safeParse(parseJson(answer.body));
	if (answer.status === 201 && dialed.success) return { dial: 'accepted', provider_id: dialed.data.provider_id };
	if (answer.status === 429) return { dial: 'throttled', retry_after_seconds: answer.retry_after_seconds ?? 1, code };
	if (answer.status >= 400 && answer.status < 500) return { dial: 'rejected', reason: 'provider_rejected', code };
	return { dial: 'unclear', code };
}

function lookupOutcome(answer: HttpAnswer): LookupOutcome {
	if (answer.answer !== 'response') return { lookup: 'unclear' };
	if (answer.status === 404) return { lookup: 'missing' };
	const report = LegReport.safeParse(parseJson(answer.body));
	const fact = report.success ? factOfReport(report.data) : null;
	return fact === null ? { lookup: 'unclear' } : { lookup: 'found', fact };
}

function received(request: ProviderRequest, { secret, clock }: SimulatorOptions): Received {
	const { path, raw_body } = request;
	const isSigned = isSignedCallback(secret, request.headers[SIGNATURE_HEADER], clock.now(), path, raw_body);
	if (!isSigned || !isOwnAddress([secret], request)) return { received: 'forged' };
	const report = LegReport.safeParse(parseJson(raw_body));
	if (!report.success) return { received: 'ignored', why: 'malformed' };
	const fact = factOfReport(report.data);
	return fact === null ? { received: 'ignored', why: 'unknown_state' } : { received: 'fact', fact };
}

function rendered(instruction: Instruction): Rendered {
	return { content_type: 'application/json', body: JSON.stringify(wireInstruction(instruction)) };
}

function wireInstruction(instruction: Instruction): LegInstruction {
	switch (instruction.instruct) {
		case 'screen': {
			const { visitor_name, source_url, prompt_seconds } = instruction;
			return { do: 'screen', say: `${visitor_name ?? ''} ${source_url}`.trim(), prompt_seconds };
		}
		case 'join':
		case 'wait':
		case 'hang_up':
			return { do: instruction.instruct };
	}
}
