import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '../../../local/stack.ts';
import { tableContents } from '../aws/table-contents.ts';
import { mailbox } from './api.ts';
import { deskForms, deskShops } from './desk-shops.ts';
import { formsIn } from './forms-in-page.ts';

type Shops = Pick<ReturnType<typeof deskShops>, 'invite' | 'newShop'>;
type Forms = Pick<ReturnType<typeof deskForms>, 'pageAt' | 'send' | 'signIn' | 'post'>;

/** Shops whose developer is signed in at the desk. */
export function developersOf({ newShop, invite }: Shops, { pageAt, send, signIn, post }: Forms) {
	type Session = Awaited<ReturnType<typeof signIn>>;
	let developers = 0;

	async function developedShop(changes: NonNullable<Parameters<typeof newShop>[1]> = {}) {
		const shop = await newShop('US', changes);
		developers += 1;
		const developer = `dev-${developers}@agency.example`;
		await invite(shop.id, developer, 'developer');
		return { ...shop, developer, dev: await signIn(developer, shop.id) };
	}

	/** The form for `action` on a page, with its current values. `id`: the record that the form is about. */
	async function formOf(session: Session, page: string, action: string, id?: string) {
		const shown = formsIn((await send(pageAt(page), session)).html);
		const form = shown.find((fields) => fields['action'] === action && (id === undefined || fields['id'] === id));
		if (form === undefined) throw new Error(`${page} has no form for ${action}`);
		return form;
	}

	/** Sends the form that creates an API key. `location`: the page to which the response redirects. */
	async function createKey(session: Session, name: string, permissions: readonly string[] = ['calls:read']) {
		const form = await formOf(session, 'keys', 'key_created');
		const fields = { ...form, key_name: name, ...Object.fromEntries(permissions.map((each) => [each, 'yes'])) };
		const { status, headers } = await post(session, 'keys', fields);
		return { fields, status, location: headers.get('location') ?? '' };
	}
	return { developedShop, formOf, createKey };
}

/** Shops on a running stack whose developer is signed in at the desk. */
export function developerDesk(stack: () => Stack) {
	const shops = deskShops(stack);
	const forms = deskForms(stack, shops);

	/** Everything that the service has stored: its table, its logs and its mails. */
	async function everythingKept(): Promise<string> {
		const { state_dir } = stack();
		const logs = globSync('logs/*.log', { cwd: state_dir });
		if (!logs.includes('logs/change-developers.log')) throw new Error('no log of the developers’ pages');
		const texts = logs.map((log) => readFileSync(join(state_dir, log), 'utf8'));
		return [await tableContents(state_dir), ...texts, JSON.stringify(await mailbox(stack()))].join('\n');
	}
	return { ...shops, ...forms, ...developersOf(shops, forms), everythingKept };
}
