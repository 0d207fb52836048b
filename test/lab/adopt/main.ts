import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { type Certificates, localCertificates } from '../../../local/certificates.ts';
import type { Shutdown } from '../../../local/shutdown.ts';
import type { Template } from '../../../local/template.ts';
import { answerAboutAccount, TOKEN } from '../../support/phones/account-answers.ts';
import type { Answering, Asked } from '../../support/phones/phone-provider.ts';
import { call } from '../../support/stack/api.ts';
import { takenAway } from '../../upgrade/templates.ts';
import { hasPython, startCloud } from '../trial/cloud.ts';
import { apiNamed, deployedApi } from '../trial/deployed-api.ts';
import { asDeployer, aws, deployStatements } from '../trial/deployer.ts';
import { type Account, bootstrap, deployed, destroy, forEmulator, type Outputs, program } from '../trial/deployment.ts';
import { startFront } from '../trial/front.ts';
import { HOSTS, REGION_HOST, startHosts } from '../trial/hosts.ts';
import { inFolder, say } from '../trial/run.ts';
import { twilioWithPeople } from '../trial/twilio.ts';
import { adopterIn, peers, STAGES } from './adopter.ts';
import { formerApp } from './former.ts';
import { leftovers } from './leftovers.ts';
import { updateUnderCalls, workspacesOn } from './update.ts';

// npm run lab -- adopt: adds the service to a CDK app, as the package's README describes. The run starts with an empty folder,
// the packed package, and an app of at most 15 lines with two stages in one region. It checks the app with tsc --strict and
// synthesises it with the lowest and the newest peer versions. It then deploys both stages with the smallest policy to the
// emulator of `npm run lab -- trial`. Production is deployed over a stack of the newest release while visitors call. The
// package's own program runs the preflight and the smoke test. At the end, the run destroys the staging stage without remains,
// while production still responds.

/** Type-checks and synthesises the app. Returns its folder and the package's program. Throws an error that says what is wrong. */
async function adopt(directory: string) {
	const adopter = await adopterIn(directory);
	if (adopter === null) throw new Error('the registry of npm does not answer');
	say(`installed from the tarball: ${adopter.project}`);
	const errors = await adopter.typeErrors();
	if (errors !== '') throw new Error(errors);
	say('tsc --strict finds nothing, with the declarations of every package');
	const app = await adopter.synth();
	const lowest = await withLowestPeers(directory, adopter.tarball, app);
	for (const stage of STAGES) {
		forEmulator(app, stage);
		say(`${stage}: ${Object.keys(templateOf(app, stage).Resources).length} resources`);
	}
	return { app, lowest, program: join(adopter.project, 'node_modules/@call-back/cdk/bin/call-back.js') };
}

const templateOf = (app: string, stage: string): Template =>
	JSON.parse(readFileSync(join(app, `${stage}.template.json`), 'utf8'));

/**
 * Builds the adopter's app with the oldest CDK that the package permits. The app has to compile, and an update from this CDK to
 * the newest must replace no resource. Returns the app's folder.
 */
async function withLowestPeers(directory: string, tarball: string, newest: string): Promise<string> {
	const adopter = await adopterIn(join(directory, 'lowest'), { tarball, cdk: peers.lowest });
	if (adopter === null) throw new Error('the registry of npm does not answer');
	// The declarations of an old CDK do not compile with a new compiler, so they are not checked.
	const errors = await adopter.typeErrors('app.ts', true);
	if (errors !== '') throw new Error(errors);
	const lowest = await adopter.synth();
	for (const stage of STAGES) {
		const changes = takenAway(templateOf(lowest, stage), templateOf(newest, stage));
		if (changes.length > 0) throw new Error(changes.join('\n'));
	}
	say(`the same with ${peers.lowest.join(' and ')}`);
	return lowest;
}

/** A stage with a URL on this machine, because the emulator has no DNS for the stage's domain. */
type Stage = {
	readonly stage: string;
	readonly base_url: string;
	readonly outputs: Outputs;
	readonly outputs_file: string;
	close(): Promise<void>;
};

type Deploying = { readonly deployer: Account; readonly account: Account; readonly port: number };

async function deployStage(stage: string, app: string, { deployer, account, port }: Deploying): Promise<Stage> {
	const { outputs, outputs_file } = await deployed(app, stage, deployer);
	const { CallBackBaseUrl: url, CallBackApiTarget: target } = outputs;
	say(`${stage} is deployed: ${url}, a CNAME to ${target}`);
	const { id, host } = await apiNamed(stage, account.env);
	const api = deployedApi(id, account.env);
	const front = await startFront(await localCertificates(account.directory, HOSTS));
	front.leadTo({ host, port, api });
	const { base_url } = front;
	writeFileSync(outputs_file, JSON.stringify({ [stage]: { ...outputs, CallBackBaseUrl: base_url } }));
	const close = async (): Promise<void> => {
		api.close();
		await front.close();
	};
	return { stage, base_url, outputs, outputs_file, close };
}

async function smoke({ stage, outputs_file }: Stage, { env }: Account, packed: string): Promise<void> {
	const said = await program([packed, 'smoke', '--outputs', outputs_file], env);
	say(`npx @call-back/cdk smoke --outputs ${stage}.json:\n${said}`);
}

/** The status of the response to a stage's public document. It is 0 if there is no response. */
const answer = ({ base_url }: Stage): Promise<number> =>
	call(base_url, '/openapi.json').then(
		({ status }) => status,
		() => 0,
	);

const [STAGING, PRODUCTION] = STAGES;

/**
 * A stand-in for Twilio in which people answer their phones. Its requests to the domains of the stages go to the URLs that
 * `reach` returns.
 */
async function provider(certificates: Certificates, reach: (url: string) => string, shutdown: Shutdown) {
	const phones = twilioWithPeople(TOKEN, () => {}, reach);
	shutdown.add(phones.close);
	const about = (asked: Asked) => answerAboutAccount('twilio full', asked);
	const elsewhere = (): Answering => ({ status: 404 });
	const hosts = await startHosts(certificates, {
		'api.twilio.com': (asked) => about(asked) ?? phones.answer(asked),
		'voice.twilio.com': (asked) => about(asked) ?? elsewhere(),
		[REGION_HOST]: elsewhere,
		'api.telnyx.eu': elsewhere,
	});
	shutdown.add(hosts.close);
	return { env: hosts.env, dialled: phones.numbers };
}

async function main(directory: string, shutdown: Shutdown): Promise<void> {
	const { app, lowest, program: packed } = await adopt(directory);
	const before = await formerApp(directory);
	const certificates = await localCertificates(directory, HOSTS);
	setDefaultCACertificates([certificates.ca_pem]);
	const fronts = new Map<string, string>();
	const reach = (url: string): string =>
		url.replace(/^https:\/\/([^/]+)\/v1/, (base, host) => fronts.get(host) ?? base);
	const { env: hosts, dialled } = await provider(certificates, reach, shutdown);
	const cloud = await startCloud(directory, certificates, { ...hosts, SSL_CERT_FILE: certificates.ca_file });
	shutdown.add(cloud.stop);
	const account = { directory, env: { ...cloud.env, ...hosts } };
	const secret = ['--name', 'call-back/twilio', '--secret-string', JSON.stringify({ auth_token: TOKEN })];
	await aws(['secretsmanager', 'create-secret', ...secret], account);
	await bootstrap(app, account);
	for (const each of [lowest, app])
		say(await program([packed, 'preflight', '--app', each, '--stack', PRODUCTION], account.env));
	const deployer = await asDeployer('deployer', deployStatements(), account);
	const deploying = { deployer, account, port: cloud.port };
	const deploy = async (stage: string, of: string): Promise<Stage> => {
		const deployedStage = await deployStage(stage, of, deploying);
		fronts.set(new URL(deployedStage.outputs['CallBackBaseUrl'] ?? '').host, deployedStage.base_url);
		shutdown.add(deployedStage.close);
		return deployedStage;
	};
	const staging = await deploy(STAGING, app);
	const production = before === null ? await deploy(PRODUCTION, app) : await updated(before);
	for (const stage of [staging, production]) await smoke(stage, account, packed);
	await destroyed(staging, production, app, { deployer, account });

	async function updated(formerFolder: string): Promise<Stage> {
		forEmulator(formerFolder, PRODUCTION);
		const former = await deploy(PRODUCTION, formerFolder);
		say('that was the package of the last release');
		const workspaces = await workspacesOn(packed, former.outputs_file, account);
		const workspace_keys = workspaces.map(({ workspace_key }) => workspace_key);
		const updating = { stack: PRODUCTION, base_url: former.base_url, former: former.outputs, workspace_keys, dialled };
		const now = await updateUnderCalls(updating, account, () => deploy(PRODUCTION, app));
		for (const { id } of workspaces) {
			const show = ['ops', 'workspace', 'show', '--workspace', id, '--outputs', now.outputs_file];
			await program([packed, ...show], account.env);
		}
		say(`the ${workspaces.length} workspaces from before the update are there`);
		return now;
	}
}

/** Destroys the staging stage without remains, while the other stage still responds. */
async function destroyed(
	staging: Stage,
	production: Stage,
	app: string,
	{ deployer, account }: Omit<Deploying, 'port'>,
) {
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

if (await hasPython()) await inFolder('adopt', main);
else console.log('skipped: python3');
