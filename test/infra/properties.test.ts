import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Fn, Lazy, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { CallBack } from '../../infra/call-back.ts';
import { readDeployment } from '../../infra/deployment.ts';
import {
	type CallBackProps,
	DeploymentFile,
	propertyNames,
	readCallBackProps,
	readProperties,
} from '../../infra/properties.ts';
import { bareApp, stubBundles, withDomain } from './synthesised.ts';

// Switches off the check of templates against AWS's schemas: it would take two thirds of the time, and no test here needs it.
process.env['CDK_VALIDATION'] = 'false';
const bundles = await stubBundles();
const folder = mkdtempSync(join(tmpdir(), 'properties-'));
afterAll(() => {
	bundles.remove();
	rmSync(folder, { recursive: true });
});

/** The error messages about a file with this content; none if it can be deployed. */
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
	removalPolicy: 'destroy',
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

describe('the check of a deployment’s properties', () => {
	it('accepts no property at all, and all properties together', () => {
		expect(sentences({})).toEqual([]);
		expect(Object.keys(everything).sort()).toEqual([...propertyNames].sort());
		expect(sentences(everything)).toEqual([]);
		for (const telephony of [telnyx, simulator, { ...twilio, machineDetection: true, region: 'ie1' }]) {
			expect(sentences({ telephony })).toEqual([]);
		}
	});

	it.each(propertyNames.filter((name) => name !== 'telephony'))(
		'refuses %s of a wrong type by name, with what was expected',
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
	])('refuses by name, for the provider %s, a wrong field of telephony: %s', (_, name, telephony) => {
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
	])('refuses an address that no browser can open, as publicBaseUrl, docsUrl and telephony.url: %s', (url) => {
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
	])('accepts %s as publicBaseUrl', (publicBaseUrl) => expect(sentences({ publicBaseUrl })).toEqual([]));

	it.each<[string, object, string]>([
		[
			'a provider without its secret',
			{ telephony: { ...twilio, secret: undefined } },
			'telephony.secret: expected the ARN of a secret with the credentials of the provider',
		],
		[
			'a caller number in another format',
			{ telephony: { ...twilio, callerNumber: '(312) 555-0100' } },
			'telephony.callerNumber: expected a number of the account in E.164, such as +13125550100',
		],
		[
			'the simulator without the mark that this is a trial',
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
		['an unknown field', { telephony: { ...twilio, numbr: 1 } }, 'telephony.numbr: there is no such property'],
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
		['a name that no stack may have', { stackName: 'call_back' }, 'stackName: expected a letter'],
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

	it('names the stack and the tags, and has defaults for both', () => {
		expect(readDeployment(file('{}'))).toEqual({ stackName: 'CallBack', tags: {} });
		const stage = { stackName: 'calls-staging', tags: { stage: 'staging' } };
		expect(readDeployment(file(JSON.stringify(stage)))).toEqual(stage);
	});

	it('that is named but absent, or not JSON, is refused with its name', () => {
		expect(() => readDeployment(join(folder, 'absent.json'))).toThrow(/absent\.json cannot be read: Error: ENOENT/);
		expect(() => readDeployment(file('{'))).toThrow(/deployment\.config\.json cannot be read/);
	});
});

describe('in the construct,', () => {
	const stack = (id: string) => new Stack(bareApp(), id);

	it('resources of the CDK, and values that only the deployment knows, are accepted', () => {
		const props = {
			mailSender: Token.asString({ Ref: 'Sender' }),
			callsPerHourAlarm: Token.asNumber({ Ref: 'Calls' }),
			telephony: { ...simulator, provider: 'simulator', trial: true, url: Token.asString({ Ref: 'Url' }) },
		} as const;
		expect(() => readCallBackProps(props, { region: 'eu-central-1' })).not.toThrow();
	});

	const SHOP = { env: { account: '111122223333', region: 'eu-central-1' } };
	const faults = (stack: Stack, props: object): readonly string[] => {
		try {
			new CallBack(stack, `Calls${stack.node.children.length}`, props, bundles.dir);
			return [];
		} catch (error) {
			return (error instanceof Error ? error.message : '').split('\n').slice(1);
		}
	};
	const synthesised = (stack: Stack) => Template.fromStack(stack);
	const imported = (stack: Stack, region: string) =>
		Certificate.fromCertificateArn(stack, region, `arn:aws:acm:${region}:111122223333:certificate/1`);

	describe('a certificate', () => {
		const domains = { domainName: 'calls.shop.example', widgetDomainName: 'widget.shop.example' };
		it('that is in the wrong region for API Gateway or CloudFront is refused, and the error names both regions', () => {
			const stack = new Stack(bareApp(), 'Shop', SHOP);
			const [virginia, frankfurt] = ['us-east-1', 'eu-central-1'].map((region) => imported(stack, region));
			expect(faults(stack, { ...domains, certificate: virginia, widgetCertificate: frankfurt })).toEqual([
				'certificate: expected a certificate of aws-certificatemanager in eu-central-1, and this one is in us-east-1',
				'widgetCertificate: expected a certificate of aws-certificatemanager in us-east-1, and this one is in eu-central-1',
			]);
			expect(faults(stack, { ...domains, certificate: frankfurt, widgetCertificate: virginia })).toEqual([]);
		});

		it('that another stack creates is in the region of that stack, also if its ARN is a token', () => {
			const all = bareApp();
			const made = (name: string, region: string) => {
				const props = { env: { ...SHOP.env, region }, crossRegionReferences: true };
				const validation = CertificateValidation.fromDns();
				return new Certificate(new Stack(all, name, props), 'Certificate', {
					domainName: '*.shop.example',
					validation,
				});
			};
			const virginia = made('Edge', 'us-east-1');
			const frankfurt = made('Zone', 'eu-central-1');
			const stack = new Stack(all, 'Shop', { ...SHOP, crossRegionReferences: true });
			expect(faults(stack, { ...domains, certificate: virginia, widgetCertificate: frankfurt })).toHaveLength(2);
			expect(faults(stack, { ...domains, certificate: frankfurt, widgetCertificate: virginia })).toEqual([]);
			expect(() => all.synth()).not.toThrow();
		});

		it('whose region only the deployment knows is accepted', () => {
			const unknown = new Stack(bareApp(), 'Shop');
			const [virginia, frankfurt] = ['us-east-1', 'eu-central-1'].map((region) => imported(unknown, region));
			expect(faults(unknown, { domainName: domains.domainName, certificate: virginia })).toEqual([]);
			const wrong = { widgetDomainName: domains.widgetDomainName, widgetCertificate: frankfurt };
			expect(faults(unknown, wrong)).toHaveLength(1);
			const stack = new Stack(bareApp(), 'Shop', SHOP);
			const parameter = StringParameter.valueForStringParameter(stack, '/shop/certificate');
			const lookedUp = Certificate.fromCertificateArn(stack, 'Certificate', parameter);
			expect(faults(stack, { ...domains, certificate: lookedUp, widgetCertificate: lookedUp })).toEqual([]);
		});
	});

	describe('tokens', () => {
		const credentials = {
			provider: 'twilio',
			accountSid: `AC${'0'.repeat(32)}`,
			callerNumber: '+13125550100',
		} as const;
		/** Values that are unknown while the app is being synthesised, by their source. */
		const sources: readonly [string, (stack: Stack) => string][] = [
			['Lazy', () => Lazy.string({ produce: () => 'later.shop.example' })],
			['an import', () => Fn.importValue('Shared')],
			['an SSM parameter', (stack) => StringParameter.valueForStringParameter(stack, '/shop/value')],
			['an SSM look-up', (stack) => StringParameter.valueFromLookup(stack, '/shop/value')],
		];

		it.each(sources)('from %s are accepted for every text property', (_, of) => {
			const stack = new Stack(bareApp(), 'Shop', SHOP);
			const value = of(stack);
			const secret = Secret.fromSecretNameV2(stack, 'Secret', value);
			expect(
				faults(stack, {
					telephony: { ...credentials, accountSid: value, callerNumber: value, secret },
					domainName: value,
					certificate: Certificate.fromCertificateArn(
						stack,
						'Certificate',
						`arn:aws:acm:eu-central-1:1:certificate/${value}`,
					),
					widgetDomainName: value,
					widgetCertificate: imported(stack, 'us-east-1'),
					publicBaseUrl: value,
					docsUrl: value,
					mailSender: value,
				}),
			).toEqual([]);
			expect(() => synthesised(stack)).not.toThrow();
		});

		it('are accepted as numbers if the deployment may know them', () => {
			const stack = new Stack(bareApp(), 'Shop', SHOP);
			const number = Lazy.number({ produce: () => 5 });
			const numbers = {
				callsPerHourAlarm: number,
				requestsPerSecond: number,
				callConcurrency: number,
				logRetention: number,
			};
			expect(faults(stack, numbers)).toEqual([]);
			expect(() => synthesised(stack)).not.toThrow();
		});

		it.each<[string, object, string]>([
			[
				'removalPolicy',
				{ removalPolicy: Lazy.string({ produce: () => 'destroy' }) },
				'removalPolicy: expected RemovalPolicy',
			],
			[
				'telephony',
				{ telephony: { ...credentials, provider: Fn.importValue('Provider') } },
				'telephony.provider: expected provider: twilio or telnyx, no token',
			],
			[
				'region',
				{ telephony: { ...credentials, region: Fn.importValue('Region') } },
				'telephony.region: expected one of us1, ie1, au1, and a value that is known when the app is synthesised: no token',
			],
			[
				'machineDetection',
				{ telephony: { ...credentials, machineDetection: Lazy.any({ produce: () => true }) } },
				'telephony.machineDetection: expected true or false, and a value that is known',
			],
			['a resource', { alarmTopic: Fn.importValue('Topic') }, 'alarmTopic: expected a topic of aws-sns'],
		])('are refused in a sentence for %s, because it decides which resources exist', (_, props, sentence) => {
			const stack = new Stack(bareApp(), 'Shop', SHOP);
			const secret = Secret.fromSecretNameV2(stack, 'Secret', 'call-back/Shop/twilio');
			const all = 'telephony' in props ? { telephony: { secret, ...Object(props.telephony) } } : props;
			expect(faults(stack, all)).toEqual([expect.stringContaining(sentence)]);
		});

		it('of resources in other stacks of the app are exported and imported', () => {
			const all = bareApp();
			const base = new Stack(all, 'Base', SHOP);
			const stack = new Stack(all, 'Shop', SHOP);
			const anything = new PolicyStatement({ actions: ['s3:GetObject'], resources: ['*'] });
			const props: CallBackProps = {
				telephony: {
					...credentials,
					secret: Secret.fromSecretNameV2(stack, 'Secret', new Secret(base, 'Secret').secretName),
				},
				alarmTopic: new Topic(base, 'Topic'),
				permissionsBoundary: new ManagedPolicy(base, 'Boundary', { statements: [anything] }),
			};
			expect(faults(stack, props)).toEqual([]);
			expect(
				all
					.synth()
					.getStackByName('Shop')
					.dependencies.map(({ id }) => id),
			).toContain('Base');
		});
	});

	it('each wrong property is named in a sentence of its own, which is the same whether one property is wrong or all are', () => {
		const wrong = {
			telephony: { provider: 'twilio', accountSid: 'AC1', callerNumber: '5', secret: 'call-back/twilio', region: 'eu' },
			domainName: 'https://calls.shop.example',
			certificate: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
			widgetDomainName: '*.shop.example',
			publicBaseUrl: 'https://edge.shop.example/',
			docsUrl: 'docs',
			mailSender: 'calls',
			alarmTopic: {},
			permissionsBoundary: 'boundary',
			removalPolicy: RemovalPolicy.SNAPSHOT,
			logRetention: 31,
			callsPerHourAlarm: 0.5,
			requestsPerSecond: -1,
			callConcurrency: 1000,
			retention: RetentionDays.ONE_DAY,
		};
		const inTurn = Object.entries(wrong).map(([name, value]) => {
			const found = faults(stack(name), { [name]: value });
			expect(found.filter((each) => each.startsWith(name)).length).toBeGreaterThan(0);
			return found;
		});
		const all = faults(stack('All'), wrong);
		expect(all).toHaveLength(19);
		expect(all).toContain('widgetCertificate: expected one, because widgetDomainName is given');
		for (const sentence of inTurn.flat())
			if (!sentence.includes('expected one, because')) expect(all).toContain(sentence);
	});

	it('an ARN instead of a resource is refused, and the property is named', () => {
		expect(() => readCallBackProps({ alarmTopic: withDomain.alarmTopic }, { region: 'eu-central-1' })).toThrow(
			'CallBack cannot be deployed like this.\nalarmTopic: expected a topic of aws-sns',
		);
	});

	it('a second construct in the same stack, or one with the same name, is refused', () => {
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

it.each([null, [], 'calls.shop.example', 5])('the construct refuses properties that are not an object: %j', (given) => {
	const stack = new Stack(bareApp(), 'Shop');
	expect(() => readCallBackProps(given, stack)).toThrow('CallBack: expected an object with properties');
	expect(() => readProperties(DeploymentFile, given, 'file')).toThrow('file: expected an object with properties');
});
