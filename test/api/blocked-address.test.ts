import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, it } from '@jest/globals';
import { plainConfig } from '../../shared/adapters/aws/client/account.ts';
import { noticeId, type TeamNotice } from '../../shared/domain/notices/team-notice.ts';
import { eventually, mailbox } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { operator, invite, newShop, leaveNumber } = shops;
const { pageAt, send, signIn } = deskForms(() => stack, shops);

/** Waits until the mail about the lead was sent or has failed. Returns the stored notice of this mail. */
const noticeOf = (leadId: string) =>
	eventually('the end of a notice', async () => {
		const notice = await (await operator()).store.get('team_notice', { id: noticeId(leadId, 'mail') });
		return notice?.status === 'pending' ? null : notice;
	});
const statusOf = async (leadId: string): Promise<TeamNotice['status']> => (await noticeOf(leadId)).status;
const logOfNotices = () => readFileSync(join(stack.state_dir, 'logs', 'notify-team.log'), 'utf8');

it('when a mail to an address has bounced, the service notices it at the next mail to this address, and the desk then says that the address gets no email', async () => {
	const team_email = 'Bounce@team-of-one.example';
	const shop = await newShop('US', { team_email });
	const session = await signIn(shop.owner, shop.id);
	const noticesPage = async () => (await send(pageAt('notices'), { cookie: session.cookie })).html;
	expect(await noticesPage()).not.toContain('Gets no email');

	// The first mail bounces, so SES puts the address on its list. The service finds it there and does not send the second mail.
	expect(await statusOf(await leaveNumber(shop, '+12025550131', 'Ada'))).toBe('sent');
	const lead_id = await leaveNumber(shop, '+12025550132', 'Bea');
	expect(await statusOf(lead_id)).toBe('failed');
	expect((await mailbox(stack)).filter(({ to }) => to === team_email)).toEqual([]);
	expect(await noticesPage()).toMatch(/Bounce@team-of-one\.example<.*Gets no email: an email came back undelivered/);
	const lines = logOfNotices()
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines).toContainEqual(
		expect.objectContaining({
			level: 'WARN',
			fact: 'address blocked',
			code: 'address_bounced',
			workspace_id: shop.id,
			lead_id,
			address_masked: 'B***@team-of-one.example',
		}),
	);
	expect(logOfNotices()).not.toContain(team_email);
});

it('a person who reported a mail as spam is marked on the page of people, until an operator has unblocked the address', async () => {
	const shop = await newShop();
	const session = await signIn(shop.owner, shop.id);
	const address = 'complaint@people.example';
	const peoplePage = async () => (await send(pageAt('people'), { cookie: session.cookie })).html;
	await invite(shop.id, address, 'member');
	await eventually('the invitation', async () => (await mailbox(stack)).find(({ to }) => to === address) ?? null);
	expect(await peoplePage()).not.toContain('Gets no email');
	await invite(shop.id, address, 'member');
	const page = await eventually('the mark', async () => {
		const html = await peoplePage();
		return html.includes('Gets no email') ? html : null;
	});
	const [, row = ''] = new RegExp(`<bdi dir="ltr">${address}</bdi>(.*?)</tr>`, 's').exec(page) ?? [];
	expect(row).toContain('Gets no email: one was reported as spam.');
	expect(page.match(/Gets no email/g)).toHaveLength(1);

	const aws = JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8'));
	const ses = new SESv2Client(plainConfig(aws.AWS_ENDPOINT_URL_SESV2, aws));
	await ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
	await invite(shop.id, address, 'member');
	await eventually('the mark is gone', async () => !(await peoplePage()).includes('Gets no email') || null);
	expect((await mailbox(stack)).filter(({ to }) => to === address)).toHaveLength(2);
});
