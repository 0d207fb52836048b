import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { gatewayPages } from '../../shared/adapters/aws/pages.ts';
import { type Behaviour, type Hostile, says, startHostile } from '../support/aws/hostile-aws.ts';
import { testAws } from '../support/aws/stand-ins.ts';

let server: Hostile;
beforeAll(async () => {
	server = await startHostile(says(200, ''));
});
afterAll(() => server.stop());

/** The codes of failures that showing a page something reports. */
async function failuresOf(behaviour: Behaviour): Promise<readonly string[]> {
	server.behave(behaviour);
	const codes: string[] = [];
	const LIVE_URL = `${server.url.replace('http', 'ws')}/live`;
	await gatewayPages({ ...testAws, LIVE_URL }, (code) => codes.push(code)).show('L0SM9cOFvHcCIhw=', { data: {} });
	return codes;
}

it.each<[string, Behaviour, readonly string[]]>([
	['a page that was shown it', says(200, ''), []],
	['a page that has gone', says(410, '', { 'x-amzn-errortype': 'GoneException' }), []],
	[
		'a role that may not',
		says(403, '{"message":"no"}', { 'x-amzn-errortype': 'ForbiddenException' }),
		['ForbiddenException'],
	],
	[
		'throttling',
		says(429, '{"message":"slow"}', { 'x-amzn-errortype': 'LimitExceededException' }),
		['LimitExceededException'],
	],
	['a balancer’s page', says(503, '<html>503</html>', { 'content-type': 'text/html' }), ['http_503']],
	['a connection that breaks', (response) => void response.destroy(), ['ECONNRESET']],
	['silence', () => undefined, ['timeout']],
])('%s is asked once, and reports its failure without rejecting', async (_, behaviour, codes) => {
	expect(await failuresOf(behaviour)).toEqual(codes);
	expect(server.asked.map(({ line }) => line)).toEqual(['POST /live/@connections/L0SM9cOFvHcCIhw%3D']);
});
