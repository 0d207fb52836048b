import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
	DeleteSuppressedDestinationCommand,
	GetSuppressedDestinationCommand,
	NotFoundException,
	SESv2Client,
	SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AwsProxy, startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import { roleOf } from '../../../local/aws/roles.ts';
import { LOCAL_CLIENT } from '../../../local/aws/stand-in.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const directory = temporaryDirectory('suppressions-');
const mailbox = openMailbox(join(directory, 'mail.jsonl'));
const Statement = [{ Effect: 'Allow', Action: 'ses:SendEmail', Resource: '*' }];
/** A role that may send mails, but may not read the list. */
const sender = roleOf({ id: 'Sender', properties: { Policies: [{ PolicyDocument: { Statement } }] }, metadata: {} });

let proxy: AwsProxy;
let ses: SESv2Client;
const clientOf = (accessKeyId: string) => {
	const credentials = { ...LOCAL_CLIENT.credentials, accessKeyId };
	return new SESv2Client({ ...LOCAL_CLIENT, credentials, endpoint: proxy.url, maxAttempts: 1 });
};
beforeAll(async () => {
	const nothing = { url: 'http://127.0.0.1:1' };
	const behind = { dynamodb: nothing, sqs: nothing, kms: localKms(join(directory, 'keys')), mailbox };
	proxy = await startAwsProxy({ ...behind, roleOf: (key) => (key === 'SENDER' ? sender : null) });
	ses = clientOf('OPERATOR');
});
afterAll(async () => {
	await proxy.close();
	rmSync(directory, { recursive: true, force: true });
});

const Text = { Data: 'text' };
/** Sends a mail. Returns how many mails have arrived at the address. */
async function arrivedAfterMail(to: string): Promise<number> {
	const Content = { Simple: { Subject: Text, Body: { Text } } };
	const mail = { FromEmailAddress: 'calls@shop.example', Destination: { ToAddresses: [to] }, Content };
	expect(await ses.send(new SendEmailCommand(mail))).toMatchObject({ MessageId: expect.any(String) });
	return mailbox.mails().filter((each) => each.to === to).length;
}
const entryOf = async (EmailAddress: string) =>
	(await ses.send(new GetSuppressedDestinationCommand({ EmailAddress }))).SuppressedDestination;

describe('the suppression list of the local SES', () => {
	it('has no address whose mail arrives', async () => {
		expect(await arrivedAfterMail('ida@shop.example')).toBe(1);
		await expect(entryOf('ida@shop.example')).rejects.toThrow(NotFoundException);
	});

	it('has an address after a mail to it bounced; this and all later mails are accepted and do not arrive', async () => {
		await expect(entryOf('bounce@one.example')).rejects.toThrow(NotFoundException);
		expect(await arrivedAfterMail('bounce@one.example')).toBe(0);
		expect(await entryOf('bounce@one.example')).toMatchObject({
			EmailAddress: 'bounce@one.example',
			Reason: 'BOUNCE',
			LastUpdateTime: expect.any(Date),
		});
		expect(await arrivedAfterMail('bounce@one.example')).toBe(0);
	});

	it('has an address after a complaint about a mail that arrived', async () => {
		expect(await arrivedAfterMail('complaint@two.example')).toBe(1);
		expect(await entryOf('complaint@two.example')).toMatchObject({ Reason: 'COMPLAINT' });
		expect(await arrivedAfterMail('complaint@two.example')).toBe(1);
	});

	it('ignores case when it stops mails, but not when it is asked about an address', async () => {
		await arrivedAfterMail('Complaint@Three.example');
		expect(await arrivedAfterMail('complaint@three.example')).toBe(0);
		await expect(entryOf('complaint@three.example')).rejects.toThrow(NotFoundException);
		expect(await entryOf('Complaint@Three.example')).toMatchObject({ Reason: 'COMPLAINT' });
	});

	it('lets mails pass again once an operator has removed the address', async () => {
		const EmailAddress = 'complaint@four.example';
		await arrivedAfterMail(EmailAddress);
		await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress }));
		expect(await arrivedAfterMail(EmailAddress)).toBe(2);
		await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress }));
		await expect(ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress }))).rejects.toThrow(NotFoundException);
	});

	it('is read only by roles with the permission for it', async () => {
		const asked = clientOf('SENDER').send(new GetSuppressedDestinationCommand({ EmailAddress: 'ida@shop.example' }));
		await expect(asked).rejects.toMatchObject({ name: 'AccessDeniedException' });
	});
});
