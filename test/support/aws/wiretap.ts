import { inflateRawSync } from 'node:zlib';
import { startWire } from './faulty-wire.ts';

/** Stands before an AWS stand-in and keeps every request and answer: what was ever written, also what is gone since. */
export async function startWiretap(to: string) {
	const heard: string[] = [];
	const { endpoint: url, failAll, stop: close } = await startWire(to);
	failAll(async ({ body }, forward) => {
		const answer = await forward().catch(() => 'reset' as const);
		heard.push(unpacked(body), answer === 'reset' ? '' : unpacked(answer.body));
		return answer;
	});
	return { url, heard: () => heard.join('\n'), close };
}
export type Wiretap = Awaited<ReturnType<typeof startWiretap>>;

/** With the table's compressed fields in clear behind them. */
export function unpacked(text: string): string {
	const packed = [...text.matchAll(/"B":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, base64 = '']) =>
		inflateRawSync(Buffer.from(base64, 'base64')).toString('utf8'),
	);
	return [text, ...packed].join('\n');
}
