import { expect, it } from '@jest/globals';
import { deployedTemplate } from './synthesised.ts';

it('a deployment updates the functions that receive callbacks before the one that dials, because callback addresses may be new', async () => {
	const { Resources } = await deployedTemplate();
	const lambdas = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
	const idOf = (name: string) =>
		lambdas.find(([, { Properties }]) => String(Properties.Description).startsWith(`${name}:`))?.[0] ?? name;
	const dialling: object = Resources[idOf('dial-leg')] ?? {};
	expect('DependsOn' in dialling ? dialling.DependsOn : []).toEqual(
		expect.arrayContaining([idOf('receive-leg-callback'), idOf('instruct-leg')]),
	);
});
