import { signCallback } from '../../shared/adapters/telephony/simulator-wire.ts';
import type { HostileRequest } from './requests.ts';
import { inWorld, type World } from './world.ts';

/** Of the simulated phone network in process. */
export const PHONE_NETWORK_SECRET = 'a secret of the phone network';

/** The request with everything of the world put in its place, and its signature where it has one. */
export function ready(request: HostileRequest, world: World): HostileRequest {
	const target = inWorld(request.target, world);
	const body = request.body === null ? null : inWorld(request.body, world);
	const headers = request.headers.map(([name, value]) => [name, inWorld(value, world)] as const);
	const path = (target.split('?', 1)[0] ?? '').slice('/v1'.length);
	const secret = world['phone_network_secret'] ?? PHONE_NETWORK_SECRET;
	const sent = Buffer.from(body ?? '', 'latin1').toString('utf8');
	const signature = signCallback(secret, Math.floor(Date.now() / 1000), path, sent);
	return {
		...request,
		target,
		body,
		headers: request.signed ? [...headers, ['simulator-signature', signature]] : headers,
	};
}
