import { expect, it } from '@jest/globals';
import { deployed, ofType, readable } from './synthesised.ts';

const { template, routes } = await deployed();

it('the gateway’s role may invoke the functions of the routes, one by one, and do nothing else', () => {
	const [invoker, ...others] = ofType(template, 'AWS::IAM::Role').filter(([id]) => /^ApiInvoker/.test(id));
	expect(others).toEqual([]);
	if (invoker === undefined) throw new Error('the gateway has no role');
	const { AssumeRolePolicyDocument: trust, Policies: policies } = invoker[1].Properties;
	expect(trust.Statement).toMatchObject([{ Principal: { Service: 'apigateway.amazonaws.com' } }]);
	const [{ Action: action, Resource: resources }, ...more] = policies.flatMap(
		({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) => PolicyDocument.Statement,
	);
	expect([action, more]).toEqual(['lambda:InvokeFunction', []]);
	const invoked = resources.map((each: { 'Fn::GetAtt': [string] }) => template.Resources[each['Fn::GetAtt'][0]]);
	const named = invoked.map((each: { Metadata: { function: string } }) => each.Metadata.function);
	expect(named.sort()).toEqual([...new Set(routes.values())].sort());
	const integrations = ofType(template, 'AWS::ApiGatewayV2::Integration').map(
		([, each]) => each.Properties.CredentialsArn,
	);
	expect(new Set(integrations.map(readable))).toEqual(new Set(['ApiInvoker']));
});
