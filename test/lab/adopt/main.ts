import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { localCertificates } from '../../../local/certificates.ts';
import type { Shutdown } from '../../../local/shutdown.ts';
import type { Template } from '../../../local/template.ts';
import { call } from '../../support/stack/api.ts';
import { takenAway } from '../../upgrade/templates.ts';
import { hasPython, startCloud } from '../trial/cloud.ts';
import { apiNamed, deployedApi } from '../trial/deployed-api.ts';
import { asDeployer, deployStatements } from '../trial/deployer.ts';
import { type Account, bootstrap, deployed, destroy, type Outputs, program, withBatches } from '../trial/deployment.ts';
import { startFront } from '../trial/front.ts';
import { inFolder, say } from '../trial/run.ts';
import { adopterIn, peers, STAGES } from './adopter.ts';
import { formerApp } from './former.ts';
import { leftovers } from './leftovers.ts';

// npm run lab -- adopt: adds the service to a CDK app, as its README says. An empty folder, the packed tarball, an app of at
// most 15 lines with two stages in one region; tsc --strict; synthesis, with the lowest and the newest peers; both stages deployed
// with the smallest policy to the emulator of `npm run lab -- trial`, production over a stack of the last release; the smoke test on
// each, by the package's own program; the stage that is thrown away destroyed to nothing while the other answers.

/** The app, type-checked and synthesised; its folder, and the package's program. Throws with what is wrong. */
async function adopt(directory: string) {
	const adopter = await adopterIn(directory);
	if (adopter === null) throw new Error('the registry of npm does not answer');
	say(`installed from the tarball: ${adopter.project}`);
	const errors = await adopter.typeErrors();
	if (errors !== '') throw new Error(errors);
	say('tsc --strict finds nothing, with the declarations of every package');
	const app = await adopter.synth();
	await withLowestPeers(directory, adopter.tarball, app);
	for (const stage of STAGES) {
		withBatches(app, stage);
		say(`${stage}: ${Object.keys(templateOf(app, stage).Resources).length} resources`);
	}
	return { app, program: join(adopter.project, 'node_modules/@call-back/cdk/bin/call-back.js') };
}

const templateOf = (app: string, stage: string): Template =>
	JSON.parse(readFileSync(join(app, `${stage}.template.json`), 'utf8'));

/** The same app with the oldest CDK that the package permits: it compiles, and an update from one to the other replaces nothing. */
async function withLowestPeers(directory: string, tarball: string, newest: string): Promise<void> {
	const adopter = await adopterIn(join(directory, 'lowest'), { tarball, cdk: peers.lowest });
	if (adopter === null) throw new Error('the registry of npm does not answer');
	// The declarations of an old CDK are not for a new compiler.
	const errors = await adopter.typeErrors('app.ts', true);
	if (errors !== '') throw new Error(errors);
	const lowest = await adopter.synth();
	for (const stage of STAGES) {
		const changes = takenAway(templateOf(lowest, stage), templateOf(newest, stage));
		if (changes.length > 0) throw new Error(changes.join('\n'));
	}
	say(`the same with ${peers.lowest.join(' and ')}`);
}

type Stage = {
	readonly stage: string;
	readonly base_url: string;
	readonly outputs_file: string;
	close(): Promise<void>;
};

type Deploying = {
	readonly deployer: Account;
	readonly account: Account;
	readonly port: number;
	/** The outputs of the stack that is updated; null: there is none. */
	readonly former: Outputs | null;
};

/** Of this release: its script, and the value that pins it. */
const OF_RELEASE = ['CallBackWidgetPinnedScript', 'CallBackWidgetIntegrity'];
function staysTheSame(former: Outputs, now: Outputs): void {
	const changed = Object.keys(former).filter((name) => !OF_RELEASE.includes(name) && former[name] !== now[name]);
	if (changed.length > 0) throw new Error(`after the update, other outputs: ${changed.join(', ')}`);
	say(`updated in place: ${Object.keys(former).length} outputs have their names and values`);
}

/**
 * Deploys one stage. The emulator has no DNS: an address of this machine stands for the stage's domain, in the outputs, too.
 */
async function deployStage(stage: string, app: string, { deployer, account, port, former }: Deploying): Promise<Stage> {
	const { outputs, outputs_file } = await deployed(app, stage, deployer);
	if (former !== null) staysTheSame(former, outputs);
	const { CallBackBaseUrl: url, CallBackApiTarget: target } = outputs;
	say(`${stage} is deployed: ${url}, a CNAME to ${target}`);
	const { id, host } = await apiNamed(stage, account.env);
	const api = deployedApi(id, account.env);
	const front = await startFront(await localCertificates(account.directory));
	front.leadTo({ host, port, api });
	const { base_url } = front;
	writeFileSync(outputs_file, JSON.stringify({ [stage]: { ...outputs, CallBackBaseUrl: base_url } }));
	const close = async (): Promise<void> => {
		api.close();
		await front.close();
	};
	return { stage, base_url, outputs_file, close };
}

async function smoke({ stage, outputs_file }: Stage, { env }: Account, packed: string): Promise<void> {
	const said = await program([packed, 'smoke', '--outputs', outputs_file], env);
	say(`npx @call-back/cdk smoke --outputs ${stage}.json:\n${said}`);
}

/** A workspace made by an operator; its id. */
const WORKSPACE = ['workspace', 'create', '--name', 'Shop', '--region', 'US', '--origin', 'https://shop.example'];
async function createWorkspace(packed: string, outputs_file: string, { env }: Account): Promise<string> {
	const more = ['--time-zone', 'America/New_York', '--team', 'Ida Wells:+13125550101', '--outputs', outputs_file];
	const { id } = JSON.parse(await program([packed, 'ops', ...WORKSPACE, ...more], env));
	return id;
}

/** The status of a stage's public document; 0: no answer. */
const answer = ({ base_url }: Stage): Promise<number> =>
	call(base_url, '/openapi.json').then(
		({ status }) => status,
		() => 0,
	);

async function main(directory: string, shutdown: Shutdown): Promise<void> {
	const { app, program: packed } = await adopt(directory);
	const before = await formerApp(directory);
	const certificates = await localCertificates(directory);
	setDefaultCACertificates([certificates.ca_pem]);
	const { env, port, stop } = await startCloud(directory, certificates, {});
	shutdown.add(stop);
	const account = { directory, env };
	await bootstrap(app, account);
	const deployer = await asDeployer('deployer', deployStatements(), account);
	const former = before === null ? null : await deployFormer(before, deployer);
	const workspace = former && (await createWorkspace(packed, former.outputs_file, account));
	const stages: Stage[] = [];
	for (const stage of STAGES) {
		const updated = stage === PRODUCTION ? (former?.outputs ?? null) : null;
		const one = await deployStage(stage, app, { deployer, account, port, former: updated });
		shutdown.add(one.close);
		stages.push(one);
	}
	for (const stage of stages) await smoke(stage, account, packed);
	const [staging, production] = stages;
	if (staging === undefined || production === undefined) throw new Error('two stages were expected');
	if (workspace !== null) {
		const show = ['ops', 'workspace', 'show', '--workspace', workspace, '--outputs', production.outputs_file];
		const { name } = JSON.parse(await program([packed, ...show], account.env));
		say(`the workspace of the stack of before is there: ${name}`);
	}
	await destroy(app, staging.stage, deployer);
	const gone = await answer(staging);
	const there = await answer(production);
	say(`${staging.stage} is destroyed and answers ${gone}; ${production.stage} answers ${there}`);
	if (gone === 200 || there !== 200) throw new Error('only the destroyed stage must be gone');
	const left = await leftovers(staging.stage, account);
	if (left.length > 0) throw new Error(`${staging.stage} left ${left.join(', ')}`);
	const kept = await leftovers(production.stage, account);
	say(`${staging.stage} left nothing; ${production.stage} has ${kept.length} tables, buckets, logs and keys`);
	if (kept.length === 0) throw new Error('nothing of a stack is found by its name');
}

const PRODUCTION = 'calls-production';
/** Production as the last release deployed it. */
async function deployFormer(app: string, deployer: Account) {
	withBatches(app, PRODUCTION);
	const former = await deployed(app, PRODUCTION, deployer);
	say(`${PRODUCTION} is deployed by the package of the last release`);
	return former;
}

if (await hasPython()) await inFolder('adopt', main);
else console.log('skipped: python3');
