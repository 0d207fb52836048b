import { Empty, LegParams } from '../kernel/common.ts';
import { route } from '../route.ts';

export const receiveLegCallback = route('receive-leg-callback', 'POST', '/telephony/{call_id}/{leg_id}/status', {
	summary: 'A telephony provider reports the state of a leg',
	surface: 'provider',
	quiet: true,
	success: 204,
	params: LegParams,
	response: Empty,
});

export const instructLeg = route('instruct-leg', 'POST', '/telephony/{call_id}/{leg_id}/instructions', {
	summary: 'A telephony provider asks what a leg should do next',
	surface: 'provider',
	quiet: true,
	params: LegParams,
	response: Empty,
});

export const telephonyRoutes = [receiveLegCallback, instructLeg] as const;
