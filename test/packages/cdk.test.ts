import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { propertyNames } from '../../infra/properties.ts';
import { APP, adopterIn, STAGES } from '../lab/adopt/adopter.ts';
import { majors, nodeOf } from './runtimes.ts';

// The construct's package in the project of an adopter. `npm run lab -- adopt` also deploys this project.

const folder = mkdtempSync(join(tmpdir(), 'adopt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const readme = readFileSync('packages/cdk/README.md', 'utf8');

it('an empty folder, the package and fifteen lines make two stages of the service, and pass tsc --strict', async () => {
	expect(APP.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
	const adopter = await adopterIn(folder);
	if (adopter === null) return void process.stderr.write('skipped\n');
	const [sample = '', wiring = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
	expect(sample.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
	writeFileSync(join(adopter.project, 'readme.ts'), sample);
	writeFileSync(join(adopter.project, 'wiring.ts'), wiring);
	writeFileSync(
		join(adopter.project, 'required.cts'),
		"import { CallBack } from '@call-back/cdk';\nCallBack satisfies object;\n",
	);
	const wrong = APP.replace('domainName:', 'mailSender: 5, domain:');
	writeFileSync(join(adopter.project, 'wrong.ts'), wrong);
	const [app, ofReadme, ofWiring, required, ofWrong] = await Promise.all([
		adopter.typeErrors(),
		adopter.typeErrors('readme.ts'),
		adopter.typeErrors('wiring.ts'),
		adopter.typeErrors('required.cts'),
		adopter.typeErrors('wrong.ts'),
	]);
	expect([app, ofReadme, ofWiring, required]).toEqual(['', '', '', '']);
	expect(ofWrong).toMatch(/error TS2(322|353|769)/);
	await holdsWhatItNames(join(adopter.project, 'node_modules/@call-back/cdk'));

	await expect(adopter.synth('wrong.ts')).rejects.toThrow(
		/mailSender: expected an address.*\n.*domain: there is no such property/s,
	);
	await adopter.synth('readme.ts');
	const assembly = await adopter.synth();
	readsTheApp(adopter.project);
	const [one, other] = STAGES.map((name) => JSON.parse(readFileSync(join(assembly, `${name}.template.json`), 'utf8')));
	for (const template of [one, other]) {
		expect(Object.keys(template.Resources).length).toBeLessThan(330);
		expect(Object.keys(template.Parameters)).toEqual(['BootstrapVersion']);
		expect(template.Outputs).toHaveProperty('CallBackApiTarget');
	}
	// No two resources in one account and region may have the same name.
	const names = (template: { Resources: Record<string, { Properties?: Record<string, unknown> }> }) =>
		Object.values(template.Resources).flatMap(({ Properties = {} }) =>
			['DashboardName', 'LogGroupName', 'DomainName'].flatMap((key) =>
				key in Properties ? JSON.stringify(Properties[key]) : [],
			),
		);
	expect(names(one).filter((name) => names(other).includes(name) && !name.includes('"Ref"'))).toEqual([]);
});

/**
 * Checks that the package is complete: it declares one class, every member has a comment, all programs exist, and no link is
 * broken.
 */
async function holdsWhatItNames(installed: string): Promise<void> {
	const declarations = readFileSync(join(installed, 'index.d.ts'), 'utf8');
	expect(declarations).not.toMatch(/simulator|zod|docs\//i);
	expect(declarations.match(/^export declare class \w+/gm)).toEqual(['export declare class CallBack']);
	const members = declarations.match(/^\t(?!\||\/|\s)(?: \*)?.*;$/gm) ?? [];
	expect(members.length).toBeGreaterThan(40);
	const bare = members.filter((member) => !declarations.includes(`*/\n${member}`));
	expect(bare).toEqual([]);

	for (const page of ['README.md', ...readdirSync(join(installed, 'docs')).map((name) => `docs/${name}`)]) {
		const links = [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)].map(([, to = '']) => to);
		const dead = links.filter((to) => !to.startsWith('http') && !existsSync(join(installed, dirname(page), to)));
		expect([page, dead]).toEqual([page, []]);
	}

	const deployed = [
		'notify-team/index.js',
		...globSync('publish-widget/widget/*.js', { cwd: join(installed, 'functions') }),
	];
	const texts = deployed.map((file) => readFileSync(join(installed, 'functions', file), 'utf8')).join('\n');
	expect(texts.match(/npx @call-back\/cdk ops/g)?.length).toBeGreaterThan(1);
	expect(texts).not.toContain('npm run');

	for (const major of majors) {
		const node = await nodeOf(major);
		if (node === null) continue;
		const run = (...args: readonly string[]) =>
			spawnSync(node, [join(installed, 'bin/call-back.js'), ...args], { encoding: 'utf8', cwd: installed });
		expect(run('ops', '--help').stdout).toMatch(/Run it as npx\s+@call-back\/cdk\s+ops\s+<command>/);
		expect(run('smoke', '--help').stdout).toContain('npx @call-back/cdk smoke');
		const unknown = run('ops', 'workspace', 'list', '--outputs', 'absent.json');
		expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('absent.json')]);
		const byDefault = run('ops', 'workspace', 'list');
		expect(byDefault.stderr).toContain('outputs.json cannot be read: npx cdk deploy --outputs-file writes it\n');
		expect([run().status, run('deploy').status]).toEqual([0, 2]);
	}
}

/** Checks that the preflight, if it is started in a folder, reads what `cdk synth` wrote there. No AWS is available here. */
function readsTheApp(project: string): void {
	const env = { ...process.env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_REGION: 'us-east-1' };
	const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', CALL_BACK_PROGRAMS: undefined };
	const preflight = (...args: readonly string[]) =>
		spawnSync(process.execPath, ['node_modules/@call-back/cdk/bin/call-back.js', 'preflight', ...args], {
			encoding: 'utf8',
			cwd: project,
			env: { ...env, ...keys },
		});
	const several = preflight();
	expect([several.status, several.stderr]).toEqual([
		1,
		`cdk.out has several: ${STAGES.join(', ')}. Choose one with --stack.\n`,
	]);
	const one = preflight('--stack', STAGES[0]);
	expect(one.stdout).toMatch(/^ok {7}stack: calls-staging of cdk.out, synthesised \d{4}-\d\d-\d\dT\d\d:\d\dZ$/m);
	expect(one.stdout).toContain('ok       certificate: in us-east-1');
	const absent = preflight('--app', 'absent');
	expect(absent.stderr).toContain('absent is no folder: synthesise the app first (npx cdk synth)');
	expect([preflight('--stak', 'x').status, preflight('--help').status]).toEqual([2, 0]);
}

it('the README of the package for the CDK names every property', () => {
	const written = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
	const providers = ['twilio', 'telnyx'];
	const ofConstruct = propertyNames.filter((name) => name !== 'stackName' && name !== 'tags');
	expect(written.filter((name) => !providers.includes(name ?? '')).sort()).toEqual([...ofConstruct].sort());
});
