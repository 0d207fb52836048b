import { writeFileSync } from 'node:fs';
import { accessOf, functionNames } from '../../infra/function-roles.ts';
import { records } from '../../shared/adapters/dynamodb/table.ts';
import { KEPT_SECONDS as TALLY_SECONDS } from '../../shared/domain/calls/tally.ts';
import { LIFETIME_SECONDS, REMEMBERED_SECONDS } from '../../shared/domain/desk/desk-link.ts';
import { SESSION_SECONDS } from '../../shared/domain/desk/session-cookie.ts';
import { IDEMPOTENCY_SECONDS } from '../../shared/domain/kernel/idempotency.ts';
import * as link from '../../shared/domain/leads/callback-link.ts';
import { RETENTION_SECONDS as EVENT_SECONDS } from '../../shared/domain/webhooks/event.ts';
import { REMEMBERED_SECONDS as BLOCKED_SECONDS } from '../../shared/domain/workspaces/blocked-address.ts';
import { SEEN_SECONDS } from '../../shared/domain/workspaces/site-use.ts';
import type { RecordName, Records } from '../../shared/ports/registry.ts';
import { RETENTION_SECONDS as AUDIT_SECONDS } from '../../shared/use-cases/desk/enter-desk.ts';
import { SEALED_NUMBER_SECONDS as LEAD_NUMBER_SECONDS } from '../../shared/use-cases/leads/capture-lead.ts';
import { SEALED_NUMBER_SECONDS as CALL_NUMBER_SECONDS } from '../../shared/use-cases/visitors/request-call.ts';
import { CONSENT_SECONDS } from '../../shared/use-cases/visitors/screen-visitor.ts';
import { UNDO_SECONDS } from '../../shared/use-cases/workspaces/team-members.ts';
import { accessByColumn, cell, MEANING, row } from './data-model.ts';

/** What the template keeps outside of the table; test/infra/stack.test.ts holds it to this. */
export const PLACES = { log_days: 90, message_days: 14 } as const;

/** A duration in the largest unit that fits. */
function lasting(seconds: number): string {
	const [unit_seconds, unit] = seconds % 86_400 === 0 ? ([86_400, 'day'] as const) : ([3600, 'hour'] as const);
	const count = seconds / unit_seconds;
	return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

/** `until`: what ends the record, if it does not end by itself. */
type Kept = { readonly seconds: number; readonly from: string } | { readonly until: string };
/** A record with an expiry says how long; one without says what ends it; one that may have both says both. */
type KeptOf<N extends RecordName> = Records[N] extends { readonly expires_at_epoch_s: number }
	? Extract<Kept, { readonly seconds: number }>
	: Records[N] extends { readonly expires_at_epoch_s: number | null }
		? Kept
		: Extract<Kept, { readonly until: string }>;

/** Whose data a record has, and what `erase` does to a visitor's. Null: no person's. */
type Personal =
	| { readonly of: 'visitor'; readonly data: string; readonly erase: string }
	| { readonly of: 'team' | 'desk'; readonly data: string }
	| null;
type Rule<N extends RecordName> = { readonly personal: Personal; readonly kept: KeptOf<N> };

const visitor = (data: string, erase: string): Personal => ({ of: 'visitor', data, erase });
const team = (data: string): Personal => ({ of: 'team', data });
const atDesk = (data: string): Personal => ({ of: 'desk', data });
const forSeconds = (seconds: number, from: string) => ({ seconds, from });
const STAYS = { until: 'the operator deletes the item' } as const;
const WORKSPACE_ENDS = { until: 'the settings of the workspace change' } as const;

/** A row for every kind of record: a missing one, or one that contradicts the record’s expiry, does not compile. */
const RULES: { readonly [N in RecordName]: Rule<N> } = {
	workspace: {
		personal: team('names, masked numbers, mail addresses; the names of the last 20 members who left'),
		kept: WORKSPACE_ENDS,
	},
	workspace_key: { personal: null, kept: STAYS },
	allowed_origin: { personal: null, kept: WORKSPACE_ENDS },
	site_use: { personal: null, kept: forSeconds(SEEN_SECONDS, 'a page of the site last showed the widget, to the day') },
	api_key: { personal: null, kept: STAYS },
	api_key_use: { personal: null, kept: STAYS },
	call: {
		personal: visitor(
			'name, masked number, keyed hash of the number, page, reference, times, the provider’s ids',
			'removes the name, the hash and the reference; the rest stays',
		),
		kept: STAYS,
	},
	callback_lead: {
		personal: visitor(
			'name, note, masked number, keyed hash of the number, page, reference',
			'removes the name, the note, the hash and the reference; the rest stays',
		),
		kept: STAYS,
	},
	event: {
		personal: visitor('page, reference, times; no name and no number', 'nothing; it expires'),
		kept: forSeconds(EVENT_SECONDS, 'it happened'),
	},
	webhook_endpoint: { personal: null, kept: { until: 'the endpoint is deleted' } },
	endpoint_roster: { personal: null, kept: STAYS },
	delivery: {
		personal: visitor('what the receiver answered', 'nothing; it expires'),
		kept: forSeconds(EVENT_SECONDS, 'its event'),
	},
	delivery_attempt: {
		personal: visitor('what the receiver answered', 'nothing; it expires'),
		kept: forSeconds(EVENT_SECONDS, 'its event'),
	},
	idempotency: {
		personal: visitor('the API’s response, which may have a masked number', 'nothing; it expires'),
		kept: forSeconds(IDEMPOTENCY_SECONDS, 'the request'),
	},
	number_usage: {
		personal: visitor(
			'keyed hash of the number, calls of the day, when it was last reached',
			'removes it, but for a suppression',
		),
		kept: { until: 'two days after the number’s last call; a suppressed number: the operator allows it again' },
	},
	sealed_number: {
		personal: visitor('the number, encrypted', 'removes it'),
		kept: {
			until: `${lasting(CALL_NUMBER_SECONDS)} after the request of a call; of a missed call, until the end of the next day if the visitor agreed to a call back until then (otherwise it goes with the end of such a call); ${lasting(LEAD_NUMBER_SECONDS)} after a lead`,
		},
	},
	team_number: {
		personal: team('the number, encrypted, with keyed hashes of it and of its beginnings'),
		kept: {
			until: `the member leaves; ${lasting(UNDO_SECONDS)} longer after a removal on the desk, which can be undone`,
		},
	},
	team_notice: {
		personal: visitor(
			'which lead or calls it is about; the mail addresses of a notice about a key or secret',
			'removes a lead’s',
		),
		kept: forSeconds(EVENT_SECONDS, 'it was made'),
	},
	consent: {
		personal: visitor(
			'keyed hash of the number and of the network address, the text, page and time',
			'removes it, unless `--keep-consent`',
		),
		kept: forSeconds(CONSENT_SECONDS, 'the request'),
	},
	callback_link: {
		personal: visitor('which lead or missed call it is about, and the calls back', 'removes it'),
		kept: forSeconds(link.LIFETIME_SECONDS.message + link.REMEMBERED_SECONDS, 'the last message'),
	},
	desk_address: { personal: atDesk('mail address'), kept: { until: 'the person leaves the desk' } },
	desk_link: {
		personal: atDesk('mail address'),
		kept: forSeconds(LIFETIME_SECONDS.invitation + REMEMBERED_SECONDS, 'an invitation; others end earlier'),
	},
	desk_mailbox: {
		personal: atDesk('mail address'),
		kept: forSeconds(LIFETIME_SECONDS.invitation + REMEMBERED_SECONDS, 'the last link was used'),
	},
	desk_session: { personal: atDesk('mail address'), kept: forSeconds(SESSION_SECONDS, 'it was last renewed') },
	blocked_address: {
		personal: atDesk('mail address'),
		kept: forSeconds(BLOCKED_SECONDS, 'the last mail that was not sent'),
	},
	failing_recipient: {
		personal: atDesk('mail address'),
		kept: forSeconds(BLOCKED_SECONDS, 'the last message that was not sent'),
	},
	desk_change: { personal: atDesk('mail address, and what changed'), kept: forSeconds(AUDIT_SECONDS, 'the change') },
};

const isRecord = (name: string): name is RecordName => name in RULES;
const kinds = Object.keys(records).filter(isRecord);

const keptText = (kept: Kept): string =>
	'until' in kept ? `until ${kept.until}` : `${lasting(kept.seconds)} after ${kept.from}`;

/** Which parts of the service may read or write it, as in the data model. */
function accessText(name: RecordName): string {
	const titles = (letter: string): string =>
		accessByColumn(name)
			.flatMap(({ title, access }) => (access.includes(letter) ? [title] : []))
			.join(', ');
	return `${titles('w') || 'only operators'} · ${titles('r') || 'only operators'}`;
}

function rowsOf(of: 'visitor' | 'team' | 'desk'): string {
	const rows = kinds.flatMap((name) => {
		const { personal, kept } = RULES[name];
		if (personal?.of !== of) return [];
		const erases = personal.of === 'visitor' ? [personal.erase] : [];
		return [row(cell(name), MEANING[name], personal.data, keptText(kept), ...erases, accessText(name))];
	});
	const titles = [
		'record',
		'what it is',
		'personal data',
		'kept',
		...(of === 'visitor' ? ['`erase`'] : []),
		'written by · read by',
	];
	return [row(...titles), row(...titles.map(() => '---')), ...rows].join('\n');
}

/** Describes on a page which personal data the service keeps, from the records, their lifetimes and the rows of the roles. */
export function dataProtection(): string {
	const decrypting = functionNames.filter((name) => accessOf(name).use.includes('open_numbers'));
	const others = kinds.filter((name) => RULES[name].personal === null).map(cell);
	return `# Data protection

Generated by \`node tools/generate/data-protection.ts\` from the records, their lifetimes and infra/function-roles.ts.

What is kept where, how long and by whom, for your record of processing activities (Article 30 GDPR) and for people who ask (Articles 15
and 17). It describes the service; your own systems, your legal basis and your contracts with AWS and the provider are yours. It is no legal advice.

## In the table

One DynamoDB table in your AWS account and the region of the stack, encrypted at rest. A record that expires is ignored at once and deleted by
DynamoDB, usually [within a few days](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html) (read 2026-11-27). "Written by, read by" is what the role of each function allows, as in the [data model](data-model.md): server API, widget, team
links, desk, callbacks, and the workers by name. Operators use their own credentials.

### Visitors

${rowsOf('visitor')}

A mask shows the first and last digits of a number. A keyed hash leads to a number only with the key in KMS. Only ${decrypting.map(cell).join(' and ')} may decrypt a number.
The counters of the limits have keyed hashes of numbers and network addresses, and end within two days; the tallies of the desk's figures count calls, name no one, and end after ${lasting(TALLY_SECONDS)}.

### The team

${rowsOf('team')}

### People at the desk

${rowsOf('desk')}

${others.slice(0, -1).join(', ')} and ${others.at(-1)} have no personal data.

## Elsewhere

| place | personal data | kept | who has it |
|---|---|---|---|
| queues (SQS) | ids of records; the mail address of a person who asks for a link to the desk | at most ${PLACES.message_days} days | you |
| logs (CloudWatch) | none on purpose: ids, outcomes, masked mail addresses | ${PLACES.log_days} days | you |
| the table's point-in-time backups | as the table | 35 days | you |
| the phone provider | the numbers of both legs, times, and in the spoken text a visitor's name | by the provider's rules; see below | Twilio or Telnyx, in [the region of your settings](telephony.md#the-region-that-processes-calls) |
| mails to the team and to people at the desk (SES) | masked number, name, note, links | by the mailbox | you and the recipient |
| webhooks | as \`event\` | by the receiver | the shop |
| a visitor's browser | the call and its cancel secret, no number; before it, the random Idempotency-Key of a request that has no answer yet | until the call ends or the answer comes, at the latest until the tab closes | the visitor |

## When a person asks

[A person asks to be forgotten](runbook.md#a-person-asks-to-be-forgotten) has the command: \`erase\` does what the table of visitors says, and its receipt counts it. For what was agreed to, use
\`consent show\`.

\`erase\` also deletes the provider's record of each leg, and \`provider_records_left\` of the receipt names what stays there, and why:

- Twilio [deletes the record of a call](https://www.twilio.com/docs/voice/api/call-resource) that has ended (read 2026-11-27). While it still works on the call, it [refuses](https://www.twilio.com/docs/api/errors/20009), in rare cases for 14 days: repeat
  \`telephony forget --call\`. It may keep fields for billing and carriers for some time after a deletion: its documents of the field say how long ("MTL").
- Telnyx documents [how to create, fetch and update a call](https://developers.telnyx.com/docs/voice/texml/rest-api/calls), and no deletion (read 2026-11-27): the receipt says \`not_supported\`. Ask its support.

\`erase\` cannot reach mails, webhooks that were received, and backups. After a restore, [erase again](deploying-safely.md).
`;
}

if (import.meta.main) writeFileSync(new URL('../../docs/data-protection.md', import.meta.url), dataProtection());
