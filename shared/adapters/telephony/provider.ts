import * as z from 'zod/mini';
import type { TelephonyEnv } from '../../env.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { systemClock } from '../aws/clock.ts';
import { noTelephony } from './no-telephony.ts';
import { parseJson } from './provider-http.ts';
import { simulatorTelephony } from './simulator.ts';

const SimulatorEnv = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });

/** The provider that the environment names. Throws when its settings are malformed, naming fields and no values. */
export function telephonyFor(env: z.infer<typeof TelephonyEnv>): Telephony {
	const shared = { public_base_url: env.PUBLIC_BASE_URL, clock: systemClock };
	switch (env.TELEPHONY_PROVIDER) {
		case 'none':
			return noTelephony;
		case 'simulator':
			return simulatorTelephony({ ...shared, ...settings(SimulatorEnv, env.TELEPHONY_SETTINGS) });
		case 'twilio':
		case 'telnyx':
			throw new Error('not yet');
	}
}

function settings<S extends z.ZodMiniType>(schema: S, text: string): z.infer<S> {
	const parsed = schema.safeParse(parseJson(text));
	if (parsed.success) return parsed.data;
	throw new Error(
		`TELEPHONY_SETTINGS: missing or malformed ${parsed.error.issues.map((i) => i.path.join('.')).join(', ')}`,
	);
}
