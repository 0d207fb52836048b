import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import {
	DescribeTableCommand,
	DynamoDBClient,
	ListTablesCommand,
	ListTagsOfResourceCommand,
} from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { STORED_FORM_TAG } from '../../shared/domain/kernel/stored-form.ts';

const TRIES = { maxAttempts: 2 };

export type MailIdentity = { readonly verified: boolean; readonly dkim: string };

/**
 * The questions that the preflight has for AWS. Each only reads, and throws an error with AWS's own code as its name. Uses the
 * credentials of the environment, a profile or a role, and AWS_ENDPOINT_URL if it is set, as AWS's SDK does.
 */
export function awsAccount() {
	const lambda = new LambdaClient(TRIES);
	const mail = new SESv2Client(TRIES);
	const dynamodb = new DynamoDBClient(TRIES);
	return {
		region: (): Promise<string> => lambda.config.region(),
		async account(): Promise<string> {
			const { Account } = await new STSClient(TRIES).send(new GetCallerIdentityCommand({}));
			if (Account === undefined) throw new Error('no account');
			return Account;
		},
		/** The version of the CDK's bootstrap, from its parameter. Throws `ParameterNotFound` if there is none. */
		async bootstrap(Name: string): Promise<number> {
			const { Parameter } = await new SSMClient(TRIES).send(new GetParameterCommand({ Name }));
			return Number(Parameter?.Value);
		},
		async concurrency(): Promise<number> {
			const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
			return AccountLimit?.ConcurrentExecutions ?? 0;
		},
		async distributions(): Promise<number> {
			const { DistributionList } = await new CloudFrontClient(TRIES).send(new ListDistributionsCommand({}));
			return DistributionList?.Quantity ?? 0;
		},
		/** The tables of a stack, each with the form of its records, from its tag; null: it has no tag. */
		async storedForms(stackName: string): Promise<readonly (string | null)[]> {
			const start = `${stackName}-`;
			const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({ ExclusiveStartTableName: start }));
			const own = TableNames.filter((name) => name.startsWith(start));
			return Promise.all(
				own.map(async (TableName) => {
					const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
					const tags = await dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
					return tags.Tags?.find(({ Key }) => Key === STORED_FORM_TAG)?.Value ?? null;
				}),
			);
		},
		/** Whether SES sends to everyone, or only within its sandbox. */
		async sendsToEveryone(): Promise<boolean> {
			return (await mail.send(new GetAccountCommand({}))).ProductionAccessEnabled === true;
		},
		/** Whether SES may send from an address or a domain, and its DKIM status. Throws `NotFoundException` if unknown. */
		async identity(name: string): Promise<MailIdentity> {
			const state = await mail.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
			const { Status: dkim = 'NOT_STARTED', SigningEnabled: signs = false } = state.DkimAttributes ?? {};
			return { verified: state.VerifiedForSendingStatus === true, dkim: signs ? dkim : 'switched off' };
		},
		async secret(arn: string): Promise<string> {
			const secrets = new SecretsManagerClient(TRIES);
			return (await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString ?? '';
		},
	};
}
export type AwsAccount = ReturnType<typeof awsAccount>;
