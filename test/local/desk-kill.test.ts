import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../../local/aws/dynamodb.ts';
import { linkInMail } from '../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../support/stack/stack-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let stateDir: string;
let port: number;
let running: StackProcess | null = null;

async function start(): Promise<StackProcess> {
	running = await startStackProcess(stateDir, ['--port', String(port)]);
	return running;
}
beforeAll(async () => {
	stateDir = temporaryDirectory('call-back-desk-kill-');
	port = await freePort();
});
afterAll(async () => {
	await running?.stop();
	rmSync(stateDir, { recursive: true, force: true });
});

/** Signs in the owner of the demo shop at the desk. */
async function owner(stack: StackProcess) {
	const desk = `${stack.base_url}/desk`;
	const { origin } = new URL(desk);
	const link = await linkInMail(stack, 'desk/links');
	const send = async (url: string, fields: Record<string, string> | null, cookie = '') => {
		const form = fields === null ? {} : { method: 'POST', body: new URLSearchParams(fields) };
		return fetch(url, { ...form, headers: { origin, cookie }, redirect: 'manual' });
	};
	const button = await (await send(link, null)).text();
	const [, workspace = ''] = /name="workspace" value="([^"]+)"/.exec(button) ?? [];
	const [cookie = ''] = ((await send(link, { workspace })).headers.get('set-cookie') ?? '').split(';');
	const page = async (name: string) => (await send(`${desk}/pages/${name}`, null, cookie)).text();
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(await page('people')) ?? [];
	const invite = async (address: string): Promise<boolean> => {
		const fields = { token, action: 'person_invited', address, role: 'member' };
		return (await send(`${desk}/pages/people`, fields, cookie).catch(() => null))?.status === 303;
	};
	/** The page shows ten people at a time. */
	const people = async () => (await page('people?from=0')) + (await page('people?from=10'));
	return { page, people, invite };
}

const PEOPLE = Array.from({ length: 16 }, (_, n) => `person-${n}@shop.example`);
const namedIn = (html: string, before: string) =>
	PEOPLE.filter((address) => html.includes(`${before}${address}<`)).sort();

it('a stack that is killed while forms arrive has stored each change with its entry in the audit list, or neither', async () => {
	const ida = await owner(await start());
	const asked = PEOPLE.map((address) => ida.invite(address));
	await Promise.race(asked);
	await running?.stop('SIGKILL');
	const saved = (await Promise.all(asked)).flatMap((wasSaved, n) => (wasSaved ? (PEOPLE[n] ?? []) : []));
	await start();
	// The session from before the kill is still valid.
	const people = namedIn(await ida.people(), '<bdi dir="ltr">');
	expect(people.length).toBeGreaterThan(0);
	expect(saved.filter((address) => !people.includes(address))).toEqual([]);
	expect(namedIn(await ida.page('log'), 'invited <bdi>')).toEqual(people);
	for (const address of PEOPLE) await ida.invite(address);
	expect(namedIn(await ida.people(), '<bdi dir="ltr">')).toEqual(PEOPLE.toSorted());
});
