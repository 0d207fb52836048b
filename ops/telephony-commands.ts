import { TWILIO_API_URL } from '../shared/adapters/telephony/twilio.ts';
import { checkTwilio, TWILIO_VOICE_URL } from '../shared/adapters/telephony/twilio-check.ts';
import { type Command, OperatorError, string, text, texts } from './command.ts';

const check: Command = {
	words: 'telephony check',
	help: '--account AC… --from +1… --region US [--region …] (with TWILIO_AUTH_TOKEN in the environment); asks Twilio whether a call will go through',
	options: { account: string, from: string, region: { ...string, multiple: true } },
	run: async (options) => {
		const auth_token = process.env['TWILIO_AUTH_TOKEN'];
		if (!auth_token) throw new OperatorError('set TWILIO_AUTH_TOKEN to the auth token of the account');
		const account = { account_sid: text(options, 'account'), auth_token, from: text(options, 'from') };
		const urls = { api_url: TWILIO_API_URL, voice_url: TWILIO_VOICE_URL };
		const checks = await checkTwilio({ ...account, regions: texts(options, 'region'), ...urls });
		if (checks.every(({ ok }) => ok)) return checks;
		throw new OperatorError(JSON.stringify(checks, null, 2));
	},
};

export const telephonyCommands: readonly Command[] = [check];
