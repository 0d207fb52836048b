import { startWire } from './faulty-wire.ts';

/**
 * A proxy in front of an AWS stand-in that keeps every request and response, so that tests also see what was written and later
 * deleted.
 */
export async function startWiretap(to: string) {
	const heard: string[] = [];
	const { endpoint: url, failAll, stop: close } = await startWire(to);
	failAll(async ({ body }, forward) => {
		const answer = await forward().catch(() => 'reset' as const);
		heard.push(body, answer === 'reset' ? '' : answer.body);
		return answer;
	});
	return { url, heard: () => heard.join('\n'), close };
}
export type Wiretap = Awaited<ReturnType<typeof startWiretap>>;
