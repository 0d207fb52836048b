import * as z from 'zod/mini';
import type { Instruction } from '../../../domain/calls/instruction.ts';
import type { Telephony } from '../../../ports/telephony.ts';
import { isOwnAddress, legPath } from '../callback-path.ts';
import { callHttp, outcomesIn, type ProviderOptions, parseJson } from '../provider-http.ts';
import { type DialBody, isSignedCallback, type LegInstruction, readReport } from './simulator-wire.ts';

const TIMEOUT_MS = 2000;

/** `url`: address of the phone network. `secret`: shared with the network: opens it, and signs what it sends. */
export const SimulatorSettings = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });
export type SimulatorOptions = z.infer<typeof SimulatorSettings> & Omit<ProviderOptions, 'api_url'>;

const Dialed = z.object({ provider_id: z.string() });

const outcomes = outcomesIn({
	codeIn: () => null,
	idIn: ({ status, body }) => (status === 201 ? Dialed.safeParse(parseJson(body)).data?.provider_id : undefined),
	refusal: () => ({ dial: 'rejected', reason: 'provider_rejected' }),
	isOver: ({ status }) => status === 409,
	factIn(report) {
		const outcome = readReport(report);
		return outcome.received === 'fact' ? outcome.fact : null;
	},
});

/** The simulated phone network as a provider. */
export function simulatorTelephony(settings: SimulatorOptions): Telephony {
	const { url, secret, public_base_url, clock } = settings;
	const ask = (method: 'GET' | 'POST', path: string, body: string | null) =>
		callHttp({
			method,
			url: new URL(path, url),
			headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
			body,
			timeout_ms: TIMEOUT_MS,
		});
	return {
		async dial(request) {
			const { leg_id, call_id, role, to, from, ring_seconds } = request;
			const addresses = { callback_base: public_base_url, leg_path: legPath(secret, request) };
			const body: DialBody = { leg_id, call_id, role, to, from, ring_seconds, ...addresses };
			return outcomes.dial(await ask('POST', '/legs', JSON.stringify(body)));
		},
		async hangup(provider_id) {
			return outcomes.hangup(await ask('POST', `/legs/${encodeURIComponent(provider_id)}/hangup`, null));
		},
		async lookup(leg_id) {
			return outcomes.lookup(await ask('GET', `/legs/${encodeURIComponent(leg_id)}`, null), clock.now());
		},
		async receive(request) {
			const isGenuine = isSignedCallback(secret, request, clock.now()) && isOwnAddress([secret], request);
			if (!isGenuine) return { received: 'forged' };
			return readReport(parseJson(request.raw_body));
		},
		render(instruction) {
			return { content_type: 'application/json', body: JSON.stringify(wireInstruction(instruction)) };
		},
	};
}

function wireInstruction(instruction: Instruction): LegInstruction {
	switch (instruction.instruct) {
		case 'screen':
			return { do: 'screen', say: instruction.say, prompt_seconds: instruction.prompt_seconds };
		case 'wait':
			return { do: 'wait', say: instruction.say };
		case 'join':
		case 'hang_up':
			return { do: instruction.instruct };
	}
}
