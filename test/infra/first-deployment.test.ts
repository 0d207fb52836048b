import { describe, expect, it } from '@jest/globals';
import { deployed, ofType, readable } from './synthesised.ts';

// The first deployment must not depend on AWS behaviour that is not documented, or that only users have reported.

const { template, functions, routes } = await deployed();

describe('a deployment in one go', () => {
	it('creates the stage after every route, because each new route deploys the stage', () => {
		const made = ofType(template, 'AWS::ApiGatewayV2::Route');
		expect(made).toHaveLength(routes.size);
		const stages = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
		expect(stages).toHaveLength(1);
		for (const { DependsOn, Properties } of stages) {
			const own = made.filter(([, route]) => route.Properties.ApiId.Ref === Properties.ApiId.Ref);
			expect(DependsOn).toEqual(expect.arrayContaining(own.map(([id]) => id)));
		}
	});

	it('logs access to a group below /aws/vendedlogs/, for which one resource policy of the account is enough', () => {
		const [stage] = ofType(template, 'AWS::ApiGatewayV2::Stage');
		const AccessLogSettings = stage?.[1].Properties.AccessLogSettings;
		const group = template.Resources[AccessLogSettings.DestinationArn['Fn::GetAtt'][0]];
		expect(readable(group?.Properties.LogGroupName)).toBe('/aws/vendedlogs/apis/AWS::StackName');
	});
});

describe('a role', () => {
	it('with several write verbs may use them in one transaction, whichever leading keys IAM checks', () => {
		for (const { name, statements: own } of functions) {
			const writes = own.filter(({ actions }) => /:(Put|Delete|Update)Item$/.test(actions.join()));
			const verbs = new Set(writes.flatMap(({ actions }) => actions));
			const all = [...new Set(writes.flatMap(({ prefixes }) => prefixes))].sort();
			for (const verb of verbs) {
				const [keyed, ...others] = writes.filter(({ actions }) => actions.includes(verb));
				expect([name, [...(keyed?.prefixes ?? []), ...(keyed?.beside ?? [])].sort()]).toEqual([name, all]);
				expect(others.map(({ keyless }) => keyless)).toEqual(verbs.size > 1 ? [true] : []);
			}
		}
	});
});

it('Lambda neither retries a failed sweep nor keeps a throttled sweep for hours', () => {
	const sweep = ofType(template, 'AWS::Lambda::Function').find(([, { Metadata }]) => Metadata.function === 'sweep');
	expect(ofType(template, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties)).toEqual([
		{ FunctionName: { Ref: sweep?.[0] }, Qualifier: '$LATEST', MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
	]);
});
