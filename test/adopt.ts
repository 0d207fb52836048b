import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { localCertificates } from '../local/certificates.ts';
import type { Shutdown } from '../local/shutdown.ts';
import { adopterIn, STAGES } from './adopt/adopter.ts';
import { call } from './support/stack/api.ts';
import { hasPython, startCloud } from './trial/cloud.ts';
import { apiNamed, deployedApi } from './trial/deployed-api.ts';
import { asDeployer, deployStatements } from './trial/deployer.ts';
import { type Account, bootstrap, deployed, destroy, program, withBatches } from './trial/deployment.ts';
import { startFront } from './trial/front.ts';
import { inFolder, say } from './trial/run.ts';

// npm run lab -- adopt: adds the service to a CDK app, as its README says. An empty folder, the packed tarball, an app of at
// most 15 lines with two stages in one region; tsc --strict; synthesis; both stages deployed with the smallest policy to the
// emulator of `npm run lab -- trial`; the smoke test on each; one destroyed while the other answers.

/** The app, type-checked and synthesised; its folder. Throws with what is wrong. */
async function adopt(directory: string): Promise<string> {
	const adopter = await adopterIn(directory);
	if (adopter === null) throw new Error('the registry of npm does not answer');
	say(`installed from the tarball: ${adopter.project}`);
	const errors = await adopter.typeErrors();
	if (errors !== '') throw new Error(errors);
	say('tsc --strict finds nothing, with the declarations of every package');
	const app = await adopter.synth();
	for (const stage of STAGES) {
		withBatches(app, stage);
		const { Resources } = JSON.parse(readFileSync(join(app, `${stage}.template.json`), 'utf8'));
		say(`${stage}: ${Object.keys(Resources).length} resources`);
	}
	return app;
}

type Stage = {
	readonly stage: string;
	readonly base_url: string;
	readonly outputs_file: string;
	close(): Promise<void>;
};

/**
 * Deploys one stage. The emulator has no DNS: an address of this machine stands for the stage's domain, in the outputs, too.
 */
async function deployStage(
	stage: string,
	app: string,
	{ deployer, account, port }: { readonly deployer: Account; readonly account: Account; readonly port: number },
): Promise<Stage> {
	const { outputs, outputs_file } = await deployed(app, stage, deployer);
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

async function smoke({ stage, outputs_file }: Stage, { env }: Account): Promise<void> {
	say(
		`npm run smoke -- --outputs ${stage}.json:\n${await program(['ops/smoke/main.ts', '--outputs', outputs_file], env)}`,
	);
}

/** The status of a stage's public document; 0: no answer. */
const answer = ({ base_url }: Stage): Promise<number> =>
	call(base_url, '/openapi.json').then(
		({ status }) => status,
		() => 0,
	);

async function main(directory: string, shutdown: Shutdown): Promise<void> {
	const app = await adopt(directory);
	const certificates = await localCertificates(directory);
	setDefaultCACertificates([certificates.ca_pem]);
	const { env, port, stop } = await startCloud(directory, certificates, {});
	shutdown.add(stop);
	const account = { directory, env };
	await bootstrap(app, account);
	const deployer = await asDeployer('deployer', deployStatements(), account);
	const stages: Stage[] = [];
	for (const stage of STAGES) {
		const one = await deployStage(stage, app, { deployer, account, port });
		shutdown.add(one.close);
		stages.push(one);
	}
	for (const stage of stages) await smoke(stage, account);
	const [staging, production] = stages;
	if (staging === undefined || production === undefined) throw new Error('two stages were expected');
	await destroy(app, staging.stage, deployer);
	const gone = await answer(staging);
	const there = await answer(production);
	say(`${staging.stage} is destroyed and answers ${gone}; ${production.stage} answers ${there}`);
	if (gone === 200 || there !== 200) throw new Error('only the destroyed stage must be gone');
}

if (await hasPython()) await inFolder('adopt', main);
else console.log('skipped: python3');
