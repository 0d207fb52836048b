import type { DialRequest } from '../../../shared/ports/telephony.ts';

export const LEG = { call_id: '01CALL', leg_id: '01LEG' };

/** A request to dial a visitor. */
export const dialing = (changes: Partial<DialRequest> = {}): DialRequest => ({
	...LEG,
	role: 'visitor',
	to: '+12125550199',
	from: null,
	ring_seconds: 30,
	tells_ringing: true,
	...changes,
});
