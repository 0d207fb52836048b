import { legPath } from '../../shared/adapters/telephony/provider-http.ts';
import { PHONE_NETWORK_SECRET, secretOf, signatureOf } from './providers.ts';
import type { HostileRequest } from './requests.ts';
import { inWorld, type World } from './world.ts';

/** Fills the world's values into a request, and signs it if it needs a signature. */
export function ready(request: HostileRequest, world: World): HostileRequest {
	const secret = secretOf(request.provider, world['phone_network_secret'] ?? PHONE_NETWORK_SECRET);
	const { call_id = '', leg_id = '' } = world;
	const leg_address = legPath(secret, { call_id, leg_id }).split('/').at(-1) ?? '';
	const target = inWorld(request.target, { ...world, leg_address });
	const body = request.body === null ? null : inWorld(request.body, world);
	const headers = request.headers.map(([name, value]) => [name, inWorld(value, world)] as const);
	if (!request.signed) return { ...request, target, body, headers };
	const path = (target.split('?', 1)[0] ?? '').slice('/v1'.length);
	const sent = Buffer.from(body ?? '', 'latin1').toString('utf8');
	const signature = signatureOf(request.provider, path, sent, secret);
	return { ...request, target, body, headers: [...headers, ...signature] };
}
