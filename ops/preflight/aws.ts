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
 * The questions that the preflight asks AWS. These questions change nothing. If AWS refuses, the name of the error is AWS's
 * own code. The credentials come from the environment, a profile or a role, as in AWS's SDK. AWS_ENDPOINT_URL is used if it
 * is set.
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
		/**
		 * The version of the CDK's bootstrap, which a parameter contains. Throws `ParameterNotFound` if there is no
		 * bootstrap.
		 */
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
		/**
		 * The form of the records in each table of a stack (see `STORED_FORM`). A tag of the table contains the form. Null
		 * for a table without this tag.
		 */
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
		/** Whether SES sends to every address. If not, the account is in SES's sandbox. */
		async sendsToEveryone(): Promise<boolean> {
			return (await mail.send(new GetAccountCommand({}))).ProductionAccessEnabled === true;
		},
		/**
		 * Whether SES may send from an address or a domain, and its DKIM status. Throws `NotFoundException` if SES knows no such
		 * identity.
		 */
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
