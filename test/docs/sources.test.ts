import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

// A page's statement about a provider needs its source, and the day on which someone read it.

const PROVIDERS = 'AWS|Lambda|DynamoDB|SQS|SES|KMS|CloudFront|CloudWatch|API Gateway|Twilio|Telnyx';
const MONEY_OR_QUOTA =
	/\$ ?\d|\bdollars?\b|\bcents?\b|\bquotas?\b|\bprices?\b|\bcharges?\b|\bbilled\b|\d (?:\w+ )?a second\b/i;
const THEIRS =
	/https?:\/\/(?:[\w-]+\.)*(?:amazon(?:aws)?\.com|repost\.aws|twilio\.com|telnyx\.com|docs\.github\.com|github\.blog)\//;
/** A link to a provider's page, or a link to the section of our documents that links to the provider's page. */
const ADDRESS = /https?:\/\/|\]\((?:#|(?:docs\/)?[\w-]+\.md)/;
const DATE = /\bread\s(?:on\s)?20\d\d-\d\d-\d\d\b/i;

type Section = { readonly place: string; readonly text: string };

/** Sections from one heading to the next, without code. */
const sections: readonly Section[] = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md')].flatMap((file) =>
	readFileSync(file, 'utf8')
		.replaceAll(/```[\s\S]*?```/g, '')
		.split(/^#+ /m)
		.map((text) => ({ place: `${file}: ${text.split('\n')[0]}`, text })),
);
const placesOf = (found: readonly Section[]): readonly string[] => found.map(({ place }) => place);
const lacking = (all: readonly Section[]) => ({
	date: placesOf(all.filter(({ text }) => THEIRS.test(text) && !DATE.test(text))),
	address: placesOf(
		all.filter(
			({ text }) => new RegExp(`\\b(?:${PROVIDERS})\\b`).test(text) && MONEY_OR_QUOTA.test(text) && !ADDRESS.test(text),
		),
	),
});

it('each section that links to a provider says on which day its page was read, and each price and quota has a link', () => {
	expect(lacking(sections)).toEqual({ date: [], address: [] });
	const bare = ['[SQS](https://aws.amazon.com/sqs/pricing/)', 'Twilio starts 1 call a second.', 'KMS costs 3 dollars.'];
	expect(lacking(bare.map((text) => ({ place: text, text })))).toEqual({
		date: bare.slice(0, 1),
		address: bare.slice(1),
	});
});
