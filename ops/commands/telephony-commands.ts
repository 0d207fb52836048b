import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { eraseLegs } from '../../shared/use-cases/retention/erase-legs.ts';
import { type CommandAction, collect, group } from '../command.ts';
import { checkTelephony } from '../telephony-check.ts';

const check = (act: CommandAction) =>
	new Command('check')
		.description(
			'Ask the provider of the deployment, or the one you name, whether it accepts the credentials, ' +
				'allows the caller numbers of all workspaces, and calls their regions.',
		)
		.option('--region <code>', 'a region besides those of the workspaces, such as US; repeatable', collect)
		.option('--provider <name>', 'a provider other than the deployment’s: twilio or telnyx, with --settings')
		.option('--settings <json>', 'the settings of that provider, as the output CallBackTelephonySettings')
		.addHelpText(
			'after',
			"\nIt reads the deployment's secret, unless TWILIO_AUTH_TOKEN or TELNYX_API_KEY is set in the environment.",
		)
		.action(
			act(({ region = [], provider = null, settings = null }, deps) =>
				checkTelephony({ provider, settings, regions: region }, deps),
			),
		);

const forget = (act: CommandAction) =>
	new Command('forget')
		.description('Delete the provider’s records of a call that has ended, as erase does.')
		.requiredOption('--call <id>', 'the call, from provider_records_left of a receipt')
		.action(act(({ call }, deps) => eraseLegs(call, deps)));

export const telephonyCommands = (act: CommandAction): readonly CommandUnknownOpts[] => [
	group(act, 'telephony', 'The telephony provider', [check, forget]),
];
