import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { App, Stack, Token } from 'aws-cdk-lib';
import { CallBack } from '../../infra/call-back.ts';
import { readDeployment } from '../../infra/deployment.ts';
import { CallBackProps, DeploymentFile, propertyNames, readProperties } from '../../infra/properties.ts';
import { stubBundles, withDomain } from './synthesised.ts';

const bundles = stubBundles();
const folder = mkdtempSync(join(tmpdir(), 'properties-'));
afterAll(() => {
	bundles.remove();
	rmSync(folder, { recursive: true });
});

/** The sentences about a file with these contents; none if it can be deployed. */
function sentences(content: object): readonly string[] {
	try {
		readProperties(DeploymentFile, content, 'deployment.config.json');
		return [];
	} catch (error) {
		const [first, ...rest] = (error instanceof Error ? error.message : '').split('\n');
		expect(first).toBe('deployment.config.json cannot be deployed like this.');
		return rest;
	}
}

const everything = {
	...withDomain,
	publicBaseUrl: 'https://edge.shop.example/v1',
	logRetention: 30,
	callsPerHourAlarm: 100,
	requestsPerSecond: 500,
	callConcurrency: 50,
};
const twilio = withDomain.telephony ?? {};
const telnyx = {
	provider: 'telnyx',
	accountSid: 'organisation',
	applicationSid: '1',
	publicKey: `${'A'.repeat(43)}=`,
	callerNumber: '+13125550100',
	secret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:call-back/telnyx-AbCdEf',
};
const simulator = { provider: 'simulator', trial: true, url: 'http://phones.example', sharedSecret: 'x'.repeat(16) };

describe('the properties of a deployment', () => {
	it('may be absent, or all be there', () => {
		expect(sentences({})).toEqual([]);
		expect(Object.keys(everything).sort()).toEqual([...propertyNames].sort());
		expect(sentences(everything)).toEqual([]);
		for (const telephony of [telnyx, simulator, { ...twilio, machineDetection: true, region: 'ie1' }]) {
			expect(sentences({ telephony })).toEqual([]);
		}
	});

	it.each(propertyNames.filter((name) => name !== 'telephony'))(
		'%s of a wrong kind is refused by name, with what was expected',
		(name) => {
			for (const wrong of [{}, [], false, '', ' ', -1, null]) {
				if (name === 'tags' && JSON.stringify(wrong) === '{}') continue;
				expect(sentences({ ...everything, [name]: wrong })).toEqual([expect.stringMatching(`^${name}: expected \\S`)]);
			}
		},
	);

	it.each([
		...Object.keys({ ...twilio, machineDetection: true, region: 'ie1' }).map(
			(name) => ['twilio', name, twilio] as const,
		),
		...Object.keys({ ...telnyx, region: 'eu' }).map((name) => ['telnyx', name, telnyx] as const),
		...Object.keys({ ...simulator, callerNumber: '' }).map((name) => ['simulator', name, simulator] as const),
	])('telephony of %s: a wrong %s is refused by name', (_, name, telephony) => {
		for (const wrong of [{}, '', 5, null]) {
			const [sentence, ...others] = sentences({ telephony: { ...telephony, [name]: wrong } });
			expect(others).toEqual([]);
			expect(sentence).toMatch(new RegExp(`^telephony\\.${name}: expected`));
		}
	});

	it.each([
		'https://calls shop.example/v1',
		'https://[edge/v1',
		'https://edge:99999/v1',
		'https://me:it@edge.example/v1',
		'https://a"b/v1',
		'https:///v1',
	])('publicBaseUrl %s, which no browser can open, is refused, and so are the addresses of others', (url) => {
		expect(sentences({ publicBaseUrl: url })).toEqual(['publicBaseUrl: expected an https address that ends in /v1']);
		expect(sentences({ docsUrl: url })).toEqual(['docsUrl: expected an https address without a slash at its end']);
		expect(sentences({ telephony: { ...simulator, url } })).toEqual([
			expect.stringMatching(/^telephony\.url: expected/),
		]);
	});

	it.each([
		'https://Calls.Shop.example/v1',
		'https://münchen.example/v1',
		'https://[2001:db8::1]:8443/v1',
		'http://localhost:3001/phone/v1',
	])('publicBaseUrl %s is taken', (publicBaseUrl) => expect(sentences({ publicBaseUrl })).toEqual([]));

	it.each<[string, object, string]>([
		[
			'a provider without its secret',
			{ telephony: { ...twilio, secret: undefined } },
			'telephony.secret: expected the ARN of a secret with the credentials of the provider',
		],
		[
			'a caller number that is none',
			{ telephony: { ...twilio, callerNumber: '(312) 555-0100' } },
			'telephony.callerNumber: expected a number in E.164, such as +13125550100',
		],
		[
			'the simulator without a word that it is a trial',
			{ telephony: { ...simulator, trial: undefined } },
			'telephony.trial: expected true: the simulator rings no real phone',
		],
		[
			'a domain without certificate',
			{ domainName: 'calls.shop.example' },
			'certificate: expected one, because domainName is given',
		],
		[
			'a certificate without domain',
			{ widgetCertificate: withDomain.widgetCertificate },
			'widgetDomainName: expected one, because widgetCertificate is given',
		],
		[
			'a domain with a scheme',
			{ ...withDomain, domainName: 'https://calls.shop.example' },
			'domainName: expected a domain name in lower case, such as calls.shop.example',
		],
		['a property that does not exist', { mailSendr: 'a@shop.example' }, 'mailSendr: there is no such property'],
		['one inside another', { telephony: { ...twilio, numbr: 1 } }, 'telephony.numbr: there is no such property'],
		[
			'a reservation of one, which no queue can follow',
			{ callConcurrency: 1 },
			'callConcurrency: expected a whole number of executions, from 2 to 999',
		],
		[
			'days that CloudWatch does not know',
			{ logRetention: 31 },
			'logRetention: expected days that CloudWatch Logs knows',
		],
		[
			'a base URL without /v1',
			{ publicBaseUrl: 'https://edge.shop.example' },
			'publicBaseUrl: expected an https address that ends in /v1',
		],
		['a name that is none for a stack', { stackName: 'call_back' }, 'stackName: expected a letter'],
		['a tag that is no text', { tags: { team: 5 } }, 'tags.team: expected a text'],
	])('refuses %s in one sentence', (_, content, sentence) => {
		expect(sentences(content)).toEqual([expect.stringContaining(sentence)]);
	});

	it('names everything that is wrong at once', () => {
		expect(sentences({ mailSender: 'calls', callConcurrency: 1, domain: 'x' })).toHaveLength(3);
	});
});

describe('the file of a clone', () => {
	const file = (content: string): string => {
		const path = join(folder, 'deployment.config.json');
		writeFileSync(path, content);
		return path;
	};

	it('names stack and tags, and has defaults for both', () => {
		expect(readDeployment(file('{}'))).toEqual({ stackName: 'CallBack', tags: {} });
		const stage = { stackName: 'calls-staging', tags: { stage: 'staging' } };
		expect(readDeployment(file(JSON.stringify(stage)))).toEqual(stage);
	});

	it('that is named but absent, or no JSON, is refused with its name', () => {
		expect(() => readDeployment(join(folder, 'absent.json'))).toThrow(/absent\.json cannot be read: Error: ENOENT/);
		expect(() => readDeployment(file('{'))).toThrow(/deployment\.config\.json cannot be read/);
	});
});

describe('the construct', () => {
	const stack = (id: string) => new Stack(new App({ analyticsReporting: false }), id);

	it('takes resources of the CDK, and values that only the deployment knows', () => {
		const props = {
			mailSender: Token.asString({ Ref: 'Sender' }),
			callsPerHourAlarm: Token.asNumber({ Ref: 'Calls' }),
			telephony: { ...simulator, provider: 'simulator', trial: true, url: Token.asString({ Ref: 'Url' }) },
		} as const;
		expect(() => readProperties(CallBackProps, props)).not.toThrow();
	});

	it('refuses an ARN where it expects a resource, by name', () => {
		expect(() => readProperties(CallBackProps, { alarmTopic: withDomain.alarmTopic })).toThrow(
			'CallBack cannot be deployed like this.\nalarmTopic: expected a topic of aws-sns',
		);
	});

	it('refuses a second one in the same stack, and one with the same name', () => {
		const shop = stack('Shop');
		new CallBack(shop, 'Calls', {}, bundles.dir);
		expect(() => new CallBack(shop, 'MoreCalls', {}, bundles.dir)).toThrow(
			'Shop/MoreCalls: the stack has a CallBack already, Shop/Calls. Give each a stack of its own.',
		);
		expect(() => new CallBack(shop, 'Calls', {}, bundles.dir)).toThrow(
			/There is already a Construct with name 'Calls'/,
		);
	});
});
