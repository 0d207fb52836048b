import { type Finding, failure, ok, warning } from '../finding.ts';
import { docsPage } from '../typed.ts';
import type { AwsAccount, MailIdentity } from './aws.ts';
import { askAws } from './question.ts';

/** Whether SES may send from `address`, whether it signs that mail, and whether it sends to every address. */
export async function sender(aws: AwsAccount, address: string): Promise<readonly Finding[]> {
	const domain = address.split('@').at(-1) ?? '';
	const name = `mail from ${domain}`;
	let identities: readonly MailIdentity[] = [];
	const identity = await askAws(name, 'ses:GetEmailIdentity', async () => {
		identities = await Promise.all(identitiesOf(address, domain).map((each) => identityOf(aws, each)));
		if (identities.some(({ verified }) => verified)) return ok(name, 'verified');
		return failure(name, 'not verified. Verify mailSender, or its domain, in Amazon SES in this region.');
	});
	const sandbox = await askAws('mail sandbox', 'ses:GetAccount', async () => {
		if (await aws.sendsToEveryone()) return ok('mail sandbox', 'left');
		return warning('mail sandbox', 'SES sends to verified addresses only. Request production access in its console.');
	});
	return [identity, ...(identity.result === 'ok' ? [signature(identities)] : []), sandbox];
}

/**
 * The identities that let SES send from the address. One of them is enough: the address, its domain, or a domain above it
 * (https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html).
 */
function identitiesOf(address: string, domain: string): readonly string[] {
	const labels = domain.split('.');
	return [address, ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))];
}

const UNKNOWN: MailIdentity = { verified: false, dkim: 'none' };

const identityOf = (aws: AwsAccount, identity: string): Promise<MailIdentity> =>
	aws.identity(identity).catch((error: unknown) => {
		if (error instanceof Error && error.name === 'NotFoundException') return UNKNOWN;
		throw error;
	});

/** Whether mail is signed with DKIM. Without DKIM, mail is sent, but receivers may treat it as spam. */
function signature(identities: readonly MailIdentity[]): Finding {
	if (identities.some(({ dkim }) => dkim === 'SUCCESS')) return ok('mail signature', 'DKIM is set up');
	const dkim = identities.find(({ verified }) => verified)?.dkim;
	return warning(
		'mail signature',
		`DKIM: ${dkim}. Mail may end as spam: see "SPF, DKIM and DMARC" in ${docsPage('mail.md')}.`,
	);
}
