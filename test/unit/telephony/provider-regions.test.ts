import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountFindings } from '../../../ops/telephony-check.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { dialing } from '../../support/phones/dial-request.ts';
import { adapterOf, deployments, SECRET, telnyx, twilio } from '../../support/phones/regions.ts';

// A deployment with a chosen region sends nothing to any other region. This test records every host name that a request looks up,
// and resolves none of them.

const PROVIDER_ID = `CA${'f'.repeat(32)}`;

const asked: string[] = [];
const { lookup } = dns;
/** The look-up fails like a lost request, so that the adapter also makes the requests that follow a lost request. */
function leadNowhere(name: string, _options: unknown, answer: (error: NodeJS.ErrnoException) => void): void {
	asked.push(name);
	process.nextTick(answer, Object.assign(new Error('lost'), { code: 'ETIMEDOUT' }));
}
beforeEach(() => {
	Reflect.set(dns, 'lookup', leadNowhere);
});
afterEach(() => {
	Reflect.set(dns, 'lookup', lookup);
});

/** The hosts to which `act` sends requests. */
async function hostsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
	asked.length = 0;
	await act();
	return [...new Set(asked)];
}

describe('the region of a provider', () => {
	it('gets every request of a call, and no other host gets a request, in 1,000 runs', async () => {
		const act = fc.constantFrom<(phones: Telephony) => Promise<unknown>>(
			(phones) => phones.dial(dialing()),
			(phones) => phones.dial(dialing({ from: '+12125550142' })),
			(phones) => phones.hangup(PROVIDER_ID),
			(phones) => phones.lookup('01LEG', PROVIDER_ID),
			async (phones) => {
				await phones.erase(PROVIDER_ID);
				await phones.hangup(PROVIDER_ID);
			},
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...deployments),
				fc.array(act, { minLength: 1, maxLength: 4 }),
				async (deployment, acts) => {
					const phones = adapterOf(deployment);
					const hosts = await hostsOf(async () => {
						for (const each of acts) await each(phones);
					});
					expect(hosts).toEqual([deployment.host]);
				},
			),
			{ numRuns: 1000 },
		);
	});

	it.each(deployments)('gets the first request of `telephony check`: $host', async ({ provider, settings, host }) => {
		const check = () =>
			accountFindings(
				provider,
				settings,
				{ regions: [{ region: 'IE', workspaces: [] }], callers: [] },
				async () => SECRET,
			);
		expect(await hostsOf(check)).toEqual([host]);
	});

	it.each([
		['twilio', { ...twilio, region: 'eu' }],
		['twilio', { ...twilio, region: '' }],
		['telnyx', { ...telnyx, region: 'ie1' }],
	] as const)('is refused by name if %s does not have it', (provider, settings) => {
		expect(() => adapterOf({ provider, settings })).toThrow('TELEPHONY_SETTINGS: missing or malformed region');
	});
});
