import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type App, CfnParameter, Fn, Lazy, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { CallBack } from '../../../infra/call-back.ts';
import type { CallBackProps } from '../../../infra/properties.ts';
import { readAppStack } from '../../../ops/preflight/app-stack.ts';
import type { Place } from '../../../ops/preflight/plan.ts';
import { planOfStack } from '../../../ops/preflight/plan-of-stack.ts';
import { bareApp, stubBundles } from '../../infra/synthesised.ts';

// Tests the preflight of an app, which reads the folder that `cdk synth` wrote.

// This test does not validate the templates.
process.env['CDK_VALIDATION'] = 'false';
const bundles = await stubBundles();
const folder = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => {
	bundles.remove();
	rmSync(folder, { recursive: true });
});

const PLACE: Place = { account: '111122223333', region: 'eu-central-1' };
const ACCOUNT_SID = `AC${'0'.repeat(32)}`;
const FROM = '+13125550100';

let apps = 0;
/** Synthesises the app that `build` fills; returns its folder. */
function synthesised(build: (app: App) => void): string {
	apps += 1;
	const app = bareApp({ outdir: join(folder, String(apps)) });
	build(app);
	return app.synth({ skipValidation: true }).directory;
}
const service = (stack: Stack, props: CallBackProps = {}) => new CallBack(stack, 'Service', props, bundles.dir);
const twilio = (stack: Stack) =>
	({
		provider: 'twilio',
		accountSid: ACCOUNT_SID,
		callerNumber: FROM,
		secret: Secret.fromSecretNameV2(stack, 'Twilio', 'call-back/twilio'),
	}) as const;

/** The preflight's plan for an app with one stack. */
function planOf(props: (stack: Stack) => CallBackProps, of: StackProps = {}, place = PLACE) {
	const directory = synthesised((app) => {
		const stack = new Stack(app, 'Calls', of);
		service(stack, props(stack));
	});
	return planOfStack(readAppStack(directory, undefined), place);
}

/** An app whose secret has a name. It is synthesised only once. */
const named = (() => {
	let read: ReturnType<typeof readAppStack> | undefined;
	return () => {
		read ??= readAppStack(
			synthesised((app) => {
				const stack = new Stack(app, 'Calls');
				service(stack, { telephony: twilio(stack) });
			}),
			undefined,
		);
		return read;
	};
})();
const secretIn = (partition: string, region: string) => ({
	telephony: { secret: `arn:${partition}:secretsmanager:${region}:1:secret:call-back/twilio` },
});

describe('the preflight of an app reads from its template', () => {
	it('nothing, if the service has no property', () => {
		expect(planOf(() => ({}))).toEqual({
			stackName: 'Calls',
			open: [],
			bootstrap: { version: 6, parameter: '/cdk-bootstrap/hnb659fds/version' },
		});
	});

	it('the provider with its settings, the ARN of a secret that is named, the sender and the reserved executions', () => {
		const plan = planOf((stack) => ({
			telephony: { ...twilio(stack), region: 'ie1' },
			mailSender: 'calls@shop.example',
			callConcurrency: 50,
		}));
		expect(plan).toMatchObject({
			open: [],
			mailSender: 'calls@shop.example',
			reserved: 257,
			telephony: {
				provider: 'twilio',
				settings: { account_sid: ACCOUNT_SID, from: FROM, region: 'ie1' },
				callerNumber: FROM,
				secret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:call-back/twilio',
			},
		});
	});

	it.each<[string, Place, object]>([
		['in China', { account: '1', region: 'cn-north-1' }, secretIn('aws-cn', 'cn-north-1')],
		['in a US government region', { account: '1', region: 'us-gov-west-1' }, secretIn('aws-us-gov', 'us-gov-west-1')],
		['of an account that AWS did not name', { account: null, region: 'eu-central-1' }, { open: ['telephony'] }],
	])('the ARN of a secret %s', (_, place, expected) => {
		expect(planOfStack(named(), place)).toMatchObject(expected);
	});

	it('the region of the certificate, even if the stack has no region with which it could be compared', () => {
		const arn = 'arn:aws:acm:us-east-1:111122223333:certificate/one';
		const plan = planOf((stack) => ({
			domainName: 'calls.shop.example',
			certificate: Certificate.fromCertificateArn(stack, 'Certificate', arn),
		}));
		expect(plan).toMatchObject({ certificateRegion: 'us-east-1', open: [] });
	});

	it.each<[string, (stack: Stack) => CallBackProps, readonly string[]]>([
		[
			'a secret with an imported ARN',
			(stack) => {
				const secret = Secret.fromSecretPartialArn(stack, 'Imported', Fn.importValue('twilio-secret'));
				return { telephony: { ...twilio(stack), secret } };
			},
			['telephony'],
		],
		[
			'a parameter of CloudFormation',
			(stack) => ({ mailSender: new CfnParameter(stack, 'Sender').valueAsString }),
			['mailSender'],
		],
		[
			'a parameter of SSM',
			(stack) => ({
				telephony: { ...twilio(stack), callerNumber: StringParameter.valueForStringParameter(stack, '/caller') },
			}),
			['telephony'],
		],
		[
			'a certificate of the stack',
			(stack) => ({
				domainName: 'calls.shop.example',
				certificate: new Certificate(stack, 'New', { domainName: 'calls.shop.example' }),
			}),
			['certificate'],
		],
	])('that only the deployment knows %s', (_, props, open) => {
		const plan = planOf(props);
		expect(plan.open).toEqual(open);
		expect(plan).not.toHaveProperty(open[0] ?? '');
	});

	it('the text of a lazy value, which synthesis knows', () => {
		const sender = Lazy.string({ produce: () => 'calls@shop.example' });
		expect(planOf(() => ({ mailSender: sender }))).toMatchObject({ mailSender: 'calls@shop.example', open: [] });
	});

	it('the account and the region of the stack, if the app sets them', () => {
		const env = { account: '444455556666', region: 'eu-west-1' };
		const directory = synthesised((app) => service(new Stack(app, 'Calls', { env })));
		const stack = readAppStack(directory, undefined);
		expect(stack).toMatchObject({ ...env, name: 'Calls' });
		expect(planOfStack(stack, PLACE)).toMatchObject({ account: '444455556666' });
	});
});

describe('the stack of the preflight', () => {
	const two = () =>
		synthesised((app) => {
			new Stack(app, 'Other');
			for (const name of ['calls-staging', 'calls-production']) service(new Stack(app, name));
		});

	it('has to be named if several stacks contain the service', () => {
		const directory = two();
		expect(() => readAppStack(directory, undefined)).toThrow(
			`${directory} has several: calls-staging, calls-production. Choose one with --stack.`,
		);
		expect(readAppStack(directory, 'calls-production').name).toBe('calls-production');
		expect(() => readAppStack(directory, 'Other')).toThrow(
			'--stack Other: expected one of calls-staging, calls-production, which have a CallBack.',
		);
	});

	it('is found in a stage by the path that `cdk deploy` accepts, and by its name', () => {
		const directory = synthesised((app) => {
			for (const stage of ['Test', 'Live']) service(new Stack(new Stage(app, stage), 'Calls'));
		});
		expect(readAppStack(directory, 'Live/Calls').name).toBe('Live-Calls');
		expect(readAppStack(directory, 'Test-Calls').path).toBe('Test/Calls');
	});

	it.each([
		['a folder that is not there', () => join(folder, 'absent'), ' is no folder: synthesise the app first'],
		['a command in place of the folder', () => 'npx tsx app.ts', 'npx tsx app.ts is no folder: synthesise the app'],
		[
			'an app without the service',
			() => synthesised((app) => new Stack(app, 'Other')),
			' has no stack with a CallBack: ',
		],
		[
			'a folder of something else',
			() => {
				const other = join(folder, 'other');
				mkdirSync(other, { recursive: true });
				writeFileSync(join(other, 'manifest.json'), '{"artifacts":5}');
				return other;
			},
			'manifest.json cannot be read: synthesise the app first (npx cdk synth)',
		],
	])('is not taken from %s', (_, directory, sentence) => {
		expect(() => readAppStack(directory(), undefined)).toThrow(sentence);
	});
});
