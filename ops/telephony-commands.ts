import { type Command, OperatorError, optionalText, string, texts } from './command.ts';
import { checkTelephony } from './telephony-check.ts';

const check: Command = {
	words: 'telephony check',
	help: "--region US [--region …] [--provider twilio|telnyx --settings JSON]: asks the provider of the deployment (or the one named) whether a call will go through; reads the deployment's secret unless TWILIO_AUTH_TOKEN or TELNYX_API_KEY is set",
	options: { provider: string, settings: string, region: { ...string, multiple: true } },
	run: async (options, deps) => {
		const regions = texts(options, 'region');
		if (regions.length === 0) throw new OperatorError('--region is required');
		const provider = optionalText(options, 'provider') ?? null;
		return checkTelephony({ provider, settings: optionalText(options, 'settings') ?? null, regions }, deps);
	},
};

export const telephonyCommands: readonly Command[] = [check];
