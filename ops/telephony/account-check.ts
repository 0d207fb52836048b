import type * as z from 'zod/mini';
import { callHttp, parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { type Finding, failure, ok, warning } from '../finding.ts';

// Three questions about a provider's account, before the first visitor requests a call: do the credentials work, may the
// caller numbers be used, may the regions be called? Only a clear no fails.

const TIMEOUT_MS = 8000;

/** Fetches one resource from a provider's REST API: its content, or the HTTP status of any other response (0: none). */
export function resourceReader(authorization: string) {
	return async <S extends z.ZodMiniType>(url: URL, schema: S): Promise<z.infer<S> | number> => {
		const headers = { authorization };
		const result = await callHttp({ method: 'GET', url, headers, body: null, timeout_ms: TIMEOUT_MS });
		if (result.outcome !== 'response') return 0;
		const outcome = schema.safeParse(parseJson(result.body));
		return result.status === 200 && outcome.success ? outcome.data : result.status;
	};
}
export type ReadResource = ReturnType<typeof resourceReader>;

/** The provider's response does not settle the question. */
export function unclear(check: string, status: number): Finding {
	const response = status === 0 ? 'no answer' : `HTTP ${status}`;
	return warning(check, `not clear (${response}). Check it in the provider’s console.`);
}

/** The first request has no response to read. `change`: the credentials to correct. */
export const noAccount = (status: number, change: string): Finding =>
	status === 401 ? failure('credentials', `not accepted. ${change}`) : unclear('credentials', status);

/** A number that phones show; `workspace`: its name, or null for the deployment's own number. */
export type Caller = { readonly number: string; readonly workspace: string | null };

/** Whether each caller number may be used: `ask` answers null if it cannot tell. One by one: there may be many. */
export async function callerChecks(
	callers: readonly Caller[],
	ask: (number: string) => Promise<boolean | null>,
): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	for (const { number, workspace } of callers) {
		const check = workspace === null ? 'caller number' : `caller number of ${workspace}`;
		const where = workspace === null ? 'as `from`' : 'with `workspace set --caller-number`';
		const change = `Buy a number that can make voice calls, or verify yours, and set it ${where}.`;
		const usable = await ask(number);
		if (usable === null) findings.push(warning(check, 'not clear whether the account may use it. Try a call.'));
		else
			findings.push(usable ? ok(check, 'owned or verified') : failure(check, `neither owned nor verified. ${change}`));
	}
	return findings;
}
