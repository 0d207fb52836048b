import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setDefaultCACertificates } from 'node:tls';
import { type Certificates, localCertificates } from '../../../local/certificates.ts';
import type { Shutdown } from '../../../local/shutdown.ts';
import { answerAboutAccount, type Account as ProviderAccount } from '../../support/phones/account-answers.ts';
import type { Asked } from '../../support/phones/phone-provider.ts';
import { startPager, topicWithSubscribers, triggerAlarm } from './alarms.ts';
import { hasPython, startCloud } from './cloud.ts';
import { deployedApi } from './deployed-api.ts';
import { asDeployer, deployStatements } from './deployer.ts';
import { type Account, bootstrap, deployService, planned, preflight, synthesised } from './deployment.ts';
import { AUTH_TOKEN, connectable, MAIL_SENDER, SUPPRESSED } from './first-day.ts';
import { startFront } from './front.ts';
import { HOSTS, REGION_HOST, startHosts } from './hosts.ts';
import { inFolder, say } from './run.ts';
import { startSuppressionList } from './suppressed.ts';
import { twilioWithPeople } from './twilio.ts';
import { erase, mailIsBlocked, placeCall, type Service } from './visitor.ts';

// npm run lab -- trial: deploys the stack to an independent emulator of AWS with enforced roles, as docs/deployment.md describes.
// It then sets up a sub-account of Twilio in Ireland (a stand-in, over TLS and with the region's host name), places one call and
// follows it to its end, mails an address to which SES sends nothing, deletes the visitor's data at the provider, triggers an
// alarm, and runs the smoke test.

const TAGS = { 'cost-center': '42' };

type Around = {
	readonly front: Awaited<ReturnType<typeof startFront>>;
	readonly pager: Awaited<ReturnType<typeof startPager>>;
	readonly port: number;
};

/**
 * Deploys the service, first without a phone provider, as a new operator does, and then with one. `front` has the URL that the
 * provider signs.
 */
async function deploy({ front, pager, port }: Around, account: Account): Promise<Service> {
	const nothing = planned({ tags: TAGS }, account);
	const app = await synthesised(nothing, account);
	say('bundled and synthesised');
	const missing = await preflight(nothing, account).catch((error: unknown) => String(error));
	if (!missing.includes('Run npm run bootstrap')) throw new Error(`the preflight misses the bootstrap: ${missing}`);
	await bootstrap(app, account);
	say('bootstrapped');
	say(`the preflight passes:\n${await preflight(nothing, account)}`);
	const { outputs } = await deployService(app, await deployer(app, account));
	say(`deployed without a provider, with the smallest policy and a tag: ${outputs['CallBackBaseUrl']}`);
	const { hostname: host } = new URL(outputs['CallBackBaseUrl'] ?? '');
	const api = deployedApi(host.split('.')[0] ?? '', account.env);
	front.leadTo({ host, port, api });
	const telephony = await connectable(account);
	const alarmTopic = await topicWithSubscribers(pager, account);
	const properties = { telephony, publicBaseUrl: front.base_url, mailSender: MAIL_SENDER, alarmTopic, tags: TAGS };
	const withTwilio = planned(properties, account);
	say(`the preflight passes, in the EU:\n${await preflight(withTwilio, account)}`);
	const { outputs_file } = await deployService(await synthesised(withTwilio, account), account);
	say(`deployed with Twilio in Ireland: ${front.base_url}`);
	return { base_url: front.base_url, outputs_file, api };
}

/**
 * Creates a user with the smallest policy with which a deployment works. Throws if a deployment succeeds although one of the
 * policy's statements is missing.
 */
async function deployer(app: string, account: Account): Promise<Account> {
	const statements = deployStatements();
	for (const { Sid } of statements) {
		const others = statements.filter((statement) => statement.Sid !== Sid);
		const without = await asDeployer(`without-${Sid}`, others, account);
		const refused = await deployService(app, without).then(
			() => null,
			(error: unknown) => String(error).trim().split('\n').at(-1) ?? '',
		);
		if (refused === null) throw new Error(`the deployment does not need the statement ${Sid}`);
		say(`refused without the statement ${Sid}: ${refused.slice(0, 200)}`);
	}
	return asDeployer('deployer', statements, account);
}

/** Runs the smoke test and shows its output. Returns its exit code and its last line on standard error. */
async function smoke({ outputs_file }: Service, { env }: Account) {
	const args = ['ops/smoke/main.ts', '--outputs', outputs_file];
	const child = spawn(process.execPath, args, {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'inherit', 'pipe'],
	});
	const [[code], said] = await Promise.all([once(child, 'close'), textOf(child.stderr)]);
	process.stderr.write(said);
	return { code, said: said.trim() };
}

/**
 * Runs the smoke test twice. The first run has to pass. In the second run, the function that answers CORS preflight requests
 * has lost its permission to read, so the smoke test has to fail and name this function. Returns whether both runs ended like
 * this.
 */
async function smokeTells(service: Service, account: Account): Promise<boolean> {
	say('npm run smoke:');
	const { code } = await smoke(service, account);
	say(`npm run smoke ended with ${code}`);
	await service.api.lendRole('$default', 'OPTIONS /v1/widget/call-requests');
	say('the preflight now has the role of the fallback, which may read nothing; npm run smoke:');
	const without = await smoke(service, account);
	say(`npm run smoke ended with ${without.code}`);
	return code === 0 && without.code === 1 && without.said.startsWith('Failed: preflight. ');
}

/** The provider's responses to requests about an account. The response to any other request is 404. */
const about = (account: ProviderAccount) => (asked: Asked) => answerAboutAccount(account, asked) ?? { status: 404 };

/**
 * Starts the hosts of providers. At the host in Ireland, people answer phones. The other hosts only respond to requests about
 * accounts.
 */
function providers(certificates: Certificates, inIreland: Parameters<typeof startHosts>[1][typeof REGION_HOST]) {
	const us1 = about('twilio sub');
	return startHosts(certificates, {
		[REGION_HOST]: inIreland,
		'api.twilio.com': us1,
		'voice.twilio.com': us1,
		'api.telnyx.eu': about('telnyx new'),
	});
}

/**
 * Places one call, leaves one lead, and deletes a visitor's data. Throws unless all requests to the provider went to its region's
 * host.
 */
async function callMailErase(
	service: Service,
	account: Account,
	{ phones, hosts }: { readonly phones: ReturnType<typeof twilioWithPeople>; readonly hosts: Hosts },
): Promise<void> {
	hosts.taken();
	const shop = await placeCall(service, account);
	if (phones.numbers().length !== 2) throw new Error(`${phones.numbers().length} phones were dialled, and not two`);
	say('one call completed over the Twilio adapter');
	await mailIsBlocked(service, account, shop);
	await erase(service, account, shop);
	if (phones.numbers().length > 0) throw new Error(`after the erasure the provider still has ${phones.numbers()}`);
	const asked = hosts.taken();
	say(`erased; the provider has no number, and all its ${asked.length} requests came to ${[...new Set(asked)]}`);
	if (asked.length === 0 || asked.some((host) => host !== REGION_HOST)) throw new Error('a request left the region');
}
type Hosts = Awaited<ReturnType<typeof startHosts>>;

async function trial(directory: string, shutdown: Shutdown): Promise<number> {
	const certificates = await localCertificates(directory, HOSTS);
	setDefaultCACertificates([certificates.ca_pem]);
	const front = await startFront(certificates);
	shutdown.add(front.close);
	const phones = twilioWithPeople(AUTH_TOKEN, say);
	shutdown.add(phones.close);
	const hosts = await providers(certificates, phones.answer);
	shutdown.add(hosts.close);
	const pager = await startPager(certificates);
	shutdown.add(pager.close);
	const mail = await startSuppressionList(certificates, [SUPPRESSED]);
	shutdown.add(mail.close);
	const env = {
		...hosts.env,
		AWS_ENDPOINT_URL_SESV2: mail.url,
		LOCAL_PATIENCE: '3',
		SSL_CERT_FILE: certificates.ca_file,
	};
	const cloud = await startCloud(directory, certificates, env);
	mail.leadTo(cloud.port);
	shutdown.add(cloud.stop);
	say(`ministack is up on port ${cloud.port}, with roles enforced`);
	const account = { directory, env: { ...cloud.env, ...hosts.env } };
	const service = await deploy({ front, pager, port: cloud.port }, account);
	shutdown.add(service.api.close);
	await callMailErase(service, account, { phones, hosts }).catch((error: unknown) => {
		console.error(readFileSync(join(directory, 'ministack.log'), 'utf8').slice(-8000));
		throw error;
	});
	await triggerAlarm(pager, account);
	return (await smokeTells(service, account)) ? 0 : 1;
}

if (await hasPython()) process.exitCode = await inFolder('trial', trial);
else console.log('skipped: python3');
