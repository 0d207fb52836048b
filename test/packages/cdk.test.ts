import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { propertyNames } from '../../infra/properties.ts';
import { APP, adopterIn, STAGES } from '../adopt/adopter.ts';

// The package of the construct, in the project of an adopter. `npm run lab -- adopt` also deploys that.

const folder = mkdtempSync(join(tmpdir(), 'adopt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const readme = readFileSync('packages/cdk/README.md', 'utf8');

it('an empty folder, the tarball and fifteen lines are two stages of the service, checked by tsc --strict', async () => {
	expect(APP.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
	const adopter = await adopterIn(folder);
	if (adopter === null) return void process.stderr.write('skipped\n');
	const [, sample = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
	expect(sample.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
	writeFileSync(join(adopter.project, 'readme.ts'), sample);
	writeFileSync(
		join(adopter.project, 'required.cts'),
		"import { CallBack } from '@call-back/cdk';\nCallBack satisfies object;\n",
	);
	const wrong = APP.replace('domainName:', 'mailSender: 5, domain:');
	writeFileSync(join(adopter.project, 'wrong.ts'), wrong);
	const [app, ofReadme, required, ofWrong] = await Promise.all([
		adopter.typeErrors(),
		adopter.typeErrors('readme.ts'),
		adopter.typeErrors('required.cts'),
		adopter.typeErrors('wrong.ts'),
	]);
	expect([app, ofReadme, required]).toEqual(['', '', '']);
	expect(ofWrong).toMatch(/error TS2(322|353|769)/);
	expect(readFileSync(join(adopter.project, 'node_modules/@call-back/cdk/index.d.ts'), 'utf8')).not.toMatch(
		/simulator/i,
	);

	await expect(adopter.synth('wrong.ts')).rejects.toThrow(
		/mailSender: expected an address.*\n.*domain: there is no such property/s,
	);
	await adopter.synth('readme.ts');
	const assembly = await adopter.synth();
	const [one, other] = STAGES.map((name) => JSON.parse(readFileSync(join(assembly, `${name}.template.json`), 'utf8')));
	for (const template of [one, other]) {
		expect(Object.keys(template.Resources).length).toBeLessThan(330);
		expect(Object.keys(template.Parameters)).toEqual(['BootstrapVersion']);
		expect(template.Outputs).toHaveProperty('CallBackApiTarget');
	}
	// Nothing in one account and region may have the same name twice.
	const names = (template: { Resources: Record<string, { Properties?: Record<string, unknown> }> }) =>
		Object.values(template.Resources).flatMap(({ Properties = {} }) =>
			['DashboardName', 'LogGroupName', 'DomainName'].flatMap((key) =>
				key in Properties ? JSON.stringify(Properties[key]) : [],
			),
		);
	expect(names(one).filter((name) => names(other).includes(name) && !name.includes('"Ref"'))).toEqual([]);
});

it('the README has every property', () => {
	const written = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
	const providers = ['twilio', 'telnyx'];
	const ofConstruct = propertyNames.filter((name) => name !== 'stackName' && name !== 'tags');
	expect(written.filter((name) => !providers.includes(name ?? '')).sort()).toEqual([...ofConstruct].sort());
});
