import { expect, it } from '@jest/globals';
import { developerPages, shopPages } from '../../../shared/contract/desk/desk-pages.ts';
import { type DeskRole, deskRoles } from '../../../shared/domain/workspaces/desk-person.ts';
import { actionNames, firstPage, mayDo, maySee, wordOf } from '../../../shared/http/desk/actions.ts';

// Repeats the table of roles, so that this test fails if someone adds a right by mistake. test/unit/desk/rights.test.ts tries
// every right.

const seenBy = (role: DeskRole) => [...shopPages, ...developerPages].filter((page) => maySee({ role }, page));

it('an owner sees every page, a member the pages of the shop’s day, a developer the developers’ pages and the audit list', () => {
	expect(Object.fromEntries(deskRoles.map((role) => [role, seenBy(role)]))).toEqual({
		owner: [
			'today',
			'calls',
			'numbers',
			'hours',
			'team',
			'site',
			'notices',
			'people',
			'log',
			'webhooks',
			'deliveries',
			'keys',
		],
		member: ['today', 'calls', 'numbers'],
		developer: ['log', 'webhooks', 'deliveries', 'keys'],
	});
});

it('an owner may do everything; the only action that both a member and a developer may do is to leave the desk', () => {
	const doneBy = (role: DeskRole) => actionNames.filter((name) => mayDo({ role }, name));
	expect(doneBy('owner')).toEqual(actionNames);
	expect(doneBy('member')).toEqual([
		'pause-calls',
		'resume-calls',
		'call-back',
		'handle-request',
		'dismiss-request',
		'reopen-request',
		'do-not-call',
		'leave-desk',
	]);
	expect(doneBy('developer')).toEqual([
		'leave-desk',
		'create-endpoint',
		'change-endpoint',
		'enable-endpoint',
		'disable-endpoint',
		'test-endpoint',
		'rotate-secret',
		'delete-endpoint',
		'recover-deliveries',
		'retry-delivery',
		'create-key',
		'revoke-key',
	]);
});

it('each action has its own word, which is the same in audit entries and open pages of earlier releases', () => {
	const words = Object.fromEntries(actionNames.map((name) => [name, wordOf(name)]));
	expect(new Set(Object.values(words)).size).toBe(actionNames.length);
	expect(words).toMatchObject({ 'pause-calls': 'paused', 'rotate-secret': 'secret_rotated', 'save-hours': 'hours' });
});

it('the desk opens at a page that the person may see', () => {
	expect(deskRoles.map((role) => [role, firstPage({ role })])).toEqual([
		['owner', 'today'],
		['member', 'today'],
		['developer', 'webhooks'],
	]);
});
