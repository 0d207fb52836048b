import * as z from 'zod/mini';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import type { AppStack, StackTemplate } from './app-stack.ts';
import { type Place, type Plan, regionOfArn } from './plan.ts';
import { textOf } from './template-text.ts';

const Settings = z.looseObject({ from: z.string() });
const Domain = z.object({ DomainNameConfigurations: z.tuple([z.object({ CertificateArn: z.unknown() })]) });
/** The text of an output whose value is not set. */
const NONE = 'none';

/** The plan of a synthesised stack, as far as its template shows the properties of the service. */
export function planOfStack({ name, account, bootstrap, template }: AppStack, place: Place): Plan {
	const output = (of: string): string | null => textOf(template.Outputs[`CallBack${of}`]?.Value, place);
	const mailSender = output('MailSender');
	const telephony = telephonyOf(output);
	const certificate = certificateOf(template, place);
	const open = [
		...(telephony === null ? ['telephony'] : []),
		...(mailSender === null ? ['mailSender'] : []),
		...(certificate === null ? ['certificate'] : []),
	];
	const reserved = reservedIn(template);
	return {
		stackName: name,
		open,
		...(telephony && telephony),
		...(mailSender !== null && mailSender !== NONE && { mailSender }),
		...(certificate !== null && regionOfArn(certificate)),
		...(reserved > 0 && { reserved }),
		...(account !== null && { account }),
		...(bootstrap !== null && { bootstrap }),
	};
}

/** The phone provider. Null if the settings, or the ARN of the secret, are not known yet. */
function telephonyOf(output: (of: string) => string | null): Pick<Plan, 'telephony'> | null {
	const provider = output('TelephonyProvider');
	if (provider === NONE) return {};
	const settings = Settings.safeParse(parseJson(output('TelephonySettings') ?? ''));
	const secret = output('TelephonySecretArn');
	if (provider === null || !settings.success || secret === null) return null;
	return { telephony: { provider, settings: settings.data, callerNumber: settings.data.from, secret } };
}

/** The ARN of the certificate. Empty if the stack has no domain. Null if the certificate is known only at the deployment. */
function certificateOf({ Resources }: StackTemplate, place: Place): string | null {
	const domain = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::DomainName');
	if (domain === undefined) return '';
	const configured = Domain.safeParse(domain.Properties);
	return configured.success ? textOf(configured.data.DomainNameConfigurations[0].CertificateArn, place) : null;
}

function reservedIn({ Resources }: StackTemplate): number {
	const each = Object.values(Resources).map(({ Properties }) =>
		Number(Properties?.['ReservedConcurrentExecutions'] ?? 0),
	);
	return each.reduce((sum, one) => sum + one, 0);
}
