import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Deployment } from '../../infra/deployment.ts';
import type { Template } from '../../local/template.ts';
import { synthesise, withDomain } from '../infra/synthesised.ts';
import { releases } from './samples.ts';
import { takenAway } from './templates.ts';

// Today's version updates a stack that a release deployed. test/upgrade/releases has the template of each release.

describe.each(releases())('a stack of release %s', (release) => {
	const before: Template = JSON.parse(readFileSync(`test/upgrade/releases/${release}/template.json`, 'utf8'));

	// The CDK prints the warning about an own tag `application`.
	beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
	afterEach(() => void jest.restoreAllMocks());

	it.each<[string, Deployment]>([
		['as it is', withDomain],
		['with a tag of the owner’s named application', { ...withDomain, tags: { application: 'shop' } }],
		['as a stage that is thrown away', { ...withDomain, removalPolicy: RemovalPolicy.DESTROY }],
	])('%s keeps every resource and every output after an update', async (_, deployment) => {
		const now = await synthesise(deployment);
		expect(takenAway(before, now)).toEqual([]);
		const gone = Object.entries(before.Resources).filter(([id, { Type }]) => now.Resources[id]?.Type !== Type);
		expect(gone.map(([id]) => id)).toEqual([]);
		for (const [name, { Value }] of Object.entries(before.Outputs ?? {}))
			expect([name, now.Outputs[name].Value]).toEqual([name, withoutRelease(Value, now.Outputs[name].Value)]);
	});

	it('is compared as a whole: a missing output or resource is found', async () => {
		const now = await synthesise(withDomain);
		const { CallBackBaseUrl: _, ...Outputs } = now.Outputs;
		expect(takenAway(before, { ...now, Outputs })).toEqual(['the output CallBackBaseUrl is gone']);
		const Resources = Object.fromEntries(
			Object.entries(now.Resources).filter(([, { Type }]) => Type !== 'AWS::KMS::Key'),
		);
		expect(takenAway(before, { ...now, Resources })).toHaveLength(4);
	});
});

/** Removes the pinned script and its integrity value, because they differ in each release. */
const withoutRelease = (before: unknown, now: unknown): unknown =>
	/widget\.[0-9a-f]{10}\.js|^"sha384-/.test(JSON.stringify(before)) ? now : before;
