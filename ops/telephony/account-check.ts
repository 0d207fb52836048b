import type * as z from 'zod/mini';
import { callHttp, parseJson } from '../../shared/adapters/telephony/provider-http.ts';

// Checks with the provider whether an account will accept a call, before the first visitor requests one.

const TIMEOUT_MS = 8000;

/** One check and its result; `change`: what the operator has to do. */
export type Check = { readonly check: string; readonly ok: boolean; readonly found: string; readonly change?: string };

/** Fetches one resource from a provider's REST API: its content, or the status of a refusal (0: no response). */
export function resourceReader(authorization: string) {
	return async <S extends z.ZodMiniType>(url: URL, schema: S): Promise<z.infer<S> | number> => {
		const headers = { authorization };
		const answer = await callHttp({ method: 'GET', url, headers, body: null, timeout_ms: TIMEOUT_MS });
		if (answer.answer !== 'response') return 0;
		const outcome = schema.safeParse(parseJson(answer.body));
		return answer.status === 200 && outcome.success ? outcome.data : answer.status;
	};
}

/** A check that passes, or says what to change. */
export function verdict(check: string, ok: boolean, found: string, change: string): Check {
	return ok ? { check, ok, found } : { check, ok, found, change };
}

/**
 * The result if the first request fails: the credentials are wrong (`change` says which to set), or the provider is down.
 */
export function noAccount(status: number, change: string): Check {
	const isRefusal = status === 401 || status === 403 || status === 404;
	const reply = status === 0 ? 'no answer' : `HTTP ${status}`;
	return { check: 'credentials', ok: false, found: reply, change: isRefusal ? change : 'Ask again later.' };
}

export const CREDENTIALS_ACCEPTED: Check = { check: 'credentials', ok: true, found: 'accepted' };

/** A number that phones show; `workspace`: its name, or null for the deployment's own number. */
export type Caller = { readonly number: string; readonly workspace: string | null };

/** Whether the account owns each caller number, or the provider has verified it. One after another: there may be many. */
export async function callerChecks(
	callers: readonly Caller[],
	ask: (number: string) => Promise<{ readonly owned: boolean; readonly verified: boolean }>,
): Promise<readonly Check[]> {
	const checks: Check[] = [];
	for (const { number, workspace } of callers) {
		const { owned, verified } = await ask(number);
		const name = workspace === null ? 'caller number' : `caller number of ${workspace}`;
		const where = workspace === null ? 'as `from`' : 'with `workspace set --caller-number`';
		const otherwise = verified ? 'verified' : 'neither the account’s nor verified';
		const change = `Buy a number that can make voice calls, or verify yours, and set it ${where}.`;
		checks.push(verdict(name, owned || verified, owned ? 'the account’s own' : otherwise, change));
	}
	return checks;
}
