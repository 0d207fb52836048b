import { Aws, Stack, Token, Tokenization } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { LogQuery } from '../../log-queries.ts';
import type { LogSources } from '../log-sources.ts';

const DEPLOYED = '--outputs deployment.json';
const SMOKE = `smoke ${DEPLOYED}`;

/** Sections of docs/runbook.md, each with its title and the first command to type. */
export const runbookSections = {
	'dead-letters': { title: 'Dead letters', first: `ops dlq list ${DEPLOYED}` },
	'stuck-deliveries': { title: 'Stuck deliveries', first: SMOKE },
	'a-queue-grows-old': { title: 'A queue grows old', first: SMOKE },
	'work-is-overdue': { title: 'Work is overdue', first: SMOKE },
	'a-function-fails': { title: 'A function fails', first: SMOKE },
	'a-function-is-throttled': {
		title: 'A function is throttled',
		first: 'aws lambda get-account-settings --query AccountLimit',
	},
	'the-api-answers-5xx': { title: 'The API answers 5xx', first: SMOKE },
	'the-api-is-slow': { title: 'The API is slow', first: SMOKE },
	'the-table-is-throttled': { title: 'The table is throttled', first: SMOKE },
	'the-sweep-stands-still': { title: 'The sweep stands still', first: SMOKE },
	'callbacks-are-refused': { title: 'Callbacks are refused', first: `ops telephony check ${DEPLOYED}` },
	'api-keys-are-refused': { title: 'API keys are refused', first: `ops workspace list ${DEPLOYED}` },
	'many-calls': { title: 'Many calls', first: `ops workspace list ${DEPLOYED}` },
	'a-limit-is-spent': { title: 'A limit is spent', first: `ops workspace show --workspace WORKSPACE_ID ${DEPLOYED}` },
} as const;
export type RunbookSection = keyof typeof runbookSections;

type AlarmProps = {
	/** What a fault means for visitors or customers, in one sentence. */
	readonly impact: string;
	readonly runbook: RunbookSection;
	/** A query for log lines that say more about the fault. Absent if there are no such lines. */
	readonly query?: LogQuery;
	/** The page in AWS's console that shows the queue, function or table. */
	readonly place?: string;
	/** The alarm fires when the value reaches this threshold from below or, with `falling`, from above. */
	readonly threshold: number;
	readonly periods: number;
	/**
	 * If true, the alarm fires when the value falls to the threshold, or when no data arrives. If absent, the alarm fires
	 * when the value rises to the threshold.
	 */
	readonly falling?: true;
};

export type Raise = (id: string, metric: IMetric, props: AlarmProps) => void;

/** Where the text of an alarm leads: to logs, and to the documentation if it is served. */
export type Guides = { readonly logs: LogSources; readonly docs_url: string | undefined };

/** The longest description that CloudWatch allows, in characters. */
const LONGEST = 1024;
/** How many characters a generated name has at most after the stack's name: a logical id and a suffix. */
const REST_OF_NAME = 70;

/** The greatest length that a text can have after CloudFormation has inserted names. */
function deployedLength(text: string, { stackName }: Stack): number {
	const ofPlace = text.replaceAll(Aws.REGION, 'ap-southeast-1').replaceAll(Aws.ACCOUNT_ID, '111122223333');
	const known = ofPlace.replaceAll(Aws.URL_SUFFIX, 'amazonaws.com.cn').replaceAll(Aws.STACK_NAME, stackName);
	const name = 'x'.repeat(stackName.length + REST_OF_NAME);
	const { tokens } = Tokenization.reverseString(known);
	return tokens.reduce((part: string, token) => part.replace(Token.asString(token), name), known).length;
}

/**
 * The text of an alarm: its impact, the first command to type, as many links as fit, and the section of the runbook. If even the
 * command does not fit, the text has only the impact and the section.
 */
function description({ impact, runbook, query, place }: AlarmProps, { logs, docs_url }: Guides, stack: Stack): string {
	const { title, first } = runbookSections[runbook];
	const page = docs_url === undefined ? '' : `: ${docs_url}/runbook#${runbook}`;
	const links = [
		...(query === undefined ? [] : [`Log: ${logs.linkTo(query)}`]),
		...(place === undefined ? [] : [`AWS: ${place}`]),
	];
	const textWith = (some: readonly string[]): string =>
		[impact, `First: ${first}`, ...some, `Runbook, "${title}"${page}`].join('\n');
	const most = [links, links.slice(0, 1), []].find((some) => deployedLength(textWith(some), stack) <= LONGEST);
	return most === undefined ? `${impact} Runbook, "${title}"` : textWith(most);
}

/**
 * Returns a function that creates alarms. If there is a `topic`, each alarm notifies the topic when the alarm fires and
 * when it is over.
 */
export function alarmsOf(scope: Construct, topic: ITopic | undefined, guides: Guides): Raise {
	const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD: RISEN, LESS_THAN_OR_EQUAL_TO_THRESHOLD: FALLEN } = ComparisonOperator;
	return (id, metric, props) => {
		const { threshold, periods, falling = false } = props;
		const alarm = new Alarm(scope, id, {
			metric,
			threshold,
			evaluationPeriods: periods,
			comparisonOperator: falling ? FALLEN : RISEN,
			treatMissingData: falling ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
			alarmDescription: description(props, guides, Stack.of(scope)),
		});
		if (topic === undefined) return;
		alarm.addAlarmAction(new SnsAction(topic));
		alarm.addOkAction(new SnsAction(topic));
	};
}
