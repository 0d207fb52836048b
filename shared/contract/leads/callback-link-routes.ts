import { Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './callback-links.ts';

export const showCallbackLink = {
	operation: 'show-callback-link',
	method: 'GET',
	path: '/callback-links/{token}',
	summary: 'The page behind the one-time link in a message to the team; places no call',
	surface: 'team',
	permission: null,
	idempotent: false,
	success: 200,
	params: schemas.LinkParams,
	query: Nothing,
	body: Nothing,
	response: schemas.Page,
	refusals: [],
} as const satisfies Route;

export const confirmCallbackLink = {
	operation: 'confirm-callback-link',
	method: 'POST',
	path: '/callback-links/{token}',
	summary: 'Confirms the call on that page: rings the team member, then the visitor; works once',
	surface: 'team',
	permission: null,
	idempotent: false,
	success: 202,
	params: schemas.LinkParams,
	query: Nothing,
	body: schemas.ConfirmForm,
	response: schemas.Page,
	refusals: [],
} as const satisfies Route;
