import { expect, it } from '@jest/globals';
import { type DeskRole, deskRoles } from '../../../shared/domain/workspaces/desk-person.ts';
import { developerPages, firstPage, maySee, roleTable, shopPages } from '../../../shared/http/desk/roles.ts';

// The table of roles, said once more: a row that grows by mistake is seen here. test/unit/desk/rights.test.ts tries all of it.

const seenBy = (role: DeskRole) => [...shopPages, ...developerPages].filter((page) => maySee({ role }, page));

it('an owner sees every page, a member the shop’s day, a developer the developers’ pages and the audit list', () => {
	expect(Object.fromEntries(deskRoles.map((role) => [role, seenBy(role)]))).toEqual({
		owner: ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log', 'webhooks', 'deliveries', 'keys'],
		member: ['today', 'numbers'],
		developer: ['log', 'webhooks', 'deliveries', 'keys'],
	});
});

it('no role but an owner’s does what another one is for, and everyone may leave', () => {
	expect(roleTable).toMatchObject({
		member: {
			actions: [
				'paused',
				'resumed',
				'lead_handled',
				'lead_dismissed',
				'lead_reopened',
				'lead_called',
				'number_suppressed',
				'desk_left',
			],
		},
		developer: {
			actions: [
				'endpoint_created',
				'endpoint_changed',
				'endpoint_enabled',
				'endpoint_disabled',
				'endpoint_tested',
				'secret_rotated',
				'endpoint_deleted',
				'deliveries_recovered',
				'delivery_retried',
				'key_created',
				'key_revoked',
				'desk_left',
			],
		},
	});
});

it('the desk opens at a page that the person may see', () => {
	expect(deskRoles.map((role) => [role, firstPage({ role })])).toEqual([
		['owner', 'today'],
		['member', 'today'],
		['developer', 'webhooks'],
	]);
});
