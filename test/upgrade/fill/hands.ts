import type { Bench } from '../bench/bench.ts';
import { form, type People } from './people.ts';

/**
 * Three shops whose desks were handed over: one several times, one that had no address for notices, and one whose former owner
 * took the desk back.
 */
export async function changeHands(bench: Bench, { ops, signIn, press, mailedLink, newestLink }: People) {
	async function open(name: string, ...more: readonly string[]) {
		const owner = `owner@${name}.example`;
		// Unless `more` names an address for messages, the desk gets none. Otherwise it would use the owner's address.
		const mail = more.includes('--team-email') ? [] : ['--team-email', 'none'];
		const about = [
			'--name',
			name,
			'--region',
			'US',
			'--time-zone',
			'America/New_York',
			'--owner',
			owner,
			...mail,
			...more,
		];
		const { id } = await ops('workspace', 'create', ...about);
		await bench.settle();
		const session = await signIn(owner, id);
		const invite = async (address: string, role: string, more: { readonly member?: string } = {}) => {
			const person = { address: `${address}@${name}.example`, role, ...more };
			await press(session, 'pages/people', 'person_invited', person);
			await bench.settle();
		};
		return { id, owner, session, invite };
	}
	const hands = await open('hands', '--team-email', 'team@hands.example');
	// The first release candidate leaves out the name.
	await hands.invite('new', 'member', { member: 'Mia Berg' });
	await hands.invite('partner', 'owner');
	const partner = { address: 'partner@hands.example' };
	await press(hands.session, 'pages/people', 'person_removed', {}, partner);
	await press(hands.session, 'pages/notices', 'notices', { team_email: '' });
	await bench.settle();
	const none = await open('none');
	await none.invite('partner', 'owner');
	await press(none.session, 'pages/notices', 'notices', { team_email: 'agree@none.example' });
	await bench.settle();
	const back = await open('back');
	await back.invite('thief', 'owner');
	// The first release candidate mails no link that takes a desk back.
	await bench.ask(form(mailedLink('desk/links', back.owner), { workspace: back.id }));
	await bench.settle();
	// The first release candidate mailed none of these links.
	const links = [
		{ workspace: hands.id, path: newestLink('desk/links', hands.owner) },
		{ workspace: none.id, path: newestLink('desk/links', 'agree@none.example') },
	];
	return { session: hands.session, links };
}
