import { Empty, LegParams, Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';

export const receiveLegCallback = {
	operation: 'receive-leg-callback',
	method: 'POST',
	path: '/telephony/{call_id}/{leg_id}/status',
	summary: 'A telephony provider reports the state of a leg',
	surface: 'provider',
	permission: null,
	idempotent: false,
	success: 204,
	params: LegParams,
	query: Nothing,
	body: Nothing,
	response: Empty,
	refusals: ['invalid_signature', 'payload_too_large'],
} as const satisfies Route;

export const instructLeg = {
	operation: 'instruct-leg',
	method: 'POST',
	path: '/telephony/{call_id}/{leg_id}/instructions',
	summary: 'A telephony provider asks what a leg should do next',
	surface: 'provider',
	permission: null,
	idempotent: false,
	success: 200,
	params: LegParams,
	query: Nothing,
	body: Nothing,
	response: Empty,
	refusals: ['invalid_signature', 'payload_too_large'],
} as const satisfies Route;
