import { startWire } from './faulty-wire.ts';

/**
 * Stands in front of an AWS stand-in and keeps every request and answer: everything that was ever written, even if it is
 * gone.
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
