import * as z from 'zod/mini';
import type { Instruction } from '../../../domain/calls/instruction.ts';
import type { LookupOutcome, ProviderRequest, Received, Telephony } from '../../../ports/telephony.ts';
import { isOwnAddress, legPath } from '../callback-path.ts';
import {
	callHttp,
	type Dialect,
	dialOutcome,
	type HttpAnswer,
	hangupOutcome,
	type ProviderOptions,
	parseJson,
} from '../provider-http.ts';
import { type DialBody, factOfReport, isSignedCallback, type LegInstruction, LegReport } from './simulator-wire.ts';

const TIMEOUT_MS = 2000;

/** `url`: address of the phone network. `secret`: shared with the network: opens it, and signs what it sends. */
export const SimulatorSettings = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });
export type SimulatorOptions = z.infer<typeof SimulatorSettings> & Omit<ProviderOptions, 'api_url'>;

const Dialed = z.object({ provider_id: z.string() });

const dialect: Dialect = {
	codeIn: () => null,
	idIn: ({ status, body }) => (status === 201 ? Dialed.safeParse(parseJson(body)).data?.provider_id : undefined),
	refusal: () => 'provider_rejected',
	isOver: ({ status }) => status === 409,
};

/** The simulated phone network as a provider. */
export function simulatorTelephony(settings: SimulatorOptions): Telephony {
	const { url, secret, public_base_url } = settings;
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
			const { leg_id, call_id, role, to, ring_seconds } = request;
			const addresses = { callback_base: public_base_url, leg_path: legPath(secret, request) };
			const body: DialBody = { leg_id, call_id, role, to, ring_seconds, ...addresses };
			return dialOutcome(await ask('POST', '/legs', JSON.stringify(body)), dialect);
		},
		async hangup(provider_id) {
			return hangupOutcome(await ask('POST', `/legs/${encodeURIComponent(provider_id)}/hangup`, null), dialect);
		},
		async lookup(leg_id) {
			return lookupOutcome(await ask('GET', `/legs/${encodeURIComponent(leg_id)}`, null));
		},
		receive: async (request) => received(request, settings),
		render: (instruction) => ({
			content_type: 'application/json',
			body: JSON.stringify(wireInstruction(instruction)),
		}),
	};
}

function lookupOutcome(answer: HttpAnswer): LookupOutcome {
	if (answer.answer !== 'response') return { lookup: 'unclear' };
	if (answer.status === 404) return { lookup: 'missing' };
	const report = LegReport.safeParse(parseJson(answer.body));
	const fact = report.success ? factOfReport(report.data) : null;
	return fact === null ? { lookup: 'unclear' } : { lookup: 'found', fact };
}

function received(request: ProviderRequest, { secret, clock }: SimulatorOptions): Received {
	const isGenuine = isSignedCallback(secret, request, clock.now()) && isOwnAddress([secret], request);
	if (!isGenuine) return { received: 'forged' };
	const report = LegReport.safeParse(parseJson(request.raw_body));
	if (!report.success) return { received: 'ignored', why: 'malformed' };
	const fact = factOfReport(report.data);
	return fact === null ? { received: 'ignored', why: 'unknown_state' } : { received: 'fact', fact };
}

function wireInstruction(instruction: Instruction): LegInstruction {
	if (instruction.instruct !== 'screen') return { do: instruction.instruct };
	const { visitor_name, source_url, prompt_seconds } = instruction;
	return { do: 'screen', say: `${visitor_name ?? ''} ${source_url}`.trim(), prompt_seconds };
}
