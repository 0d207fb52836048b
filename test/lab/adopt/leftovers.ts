import { aws } from '../trial/deployer.ts';
import type { Account } from '../trial/deployment.ts';

/** What a destroyed stack left in the account. Tables, buckets and log groups are found by their names, keys by their tag. */
export async function leftovers(stack: string, account: Account): Promise<readonly string[]> {
	const [tables, buckets, groups] = await Promise.all([
		aws(['dynamodb', 'list-tables'], account),
		aws(['s3api', 'list-buckets'], account),
		aws(['logs', 'describe-log-groups'], account),
	]);
	const names: readonly string[] = [
		...(tables.TableNames ?? []),
		...(buckets.Buckets ?? []).map(({ Name }: { Name: string }) => Name),
		...(groups.logGroups ?? []).map(({ logGroupName }: { logGroupName: string }) => logGroupName),
	];
	return [...names.filter((name) => name.toLowerCase().includes(stack)), ...(await keysOf(stack, account))];
}

/** The KMS keys of a stack that are not scheduled for deletion. */
async function keysOf(stack: string, account: Account): Promise<readonly string[]> {
	const { Keys = [] } = await aws(['kms', 'list-keys'], account);
	const found = await Promise.all(
		Keys.map(async ({ KeyId }: { KeyId: string }) => {
			const { KeyMetadata } = await aws(['kms', 'describe-key', '--key-id', KeyId], account);
			const { Tags = [] } = await aws(['kms', 'list-resource-tags', '--key-id', KeyId], account);
			const isOurs = Tags.some((tag: Tag) => tag.TagKey === 'call-back-stack' && tag.TagValue === stack);
			return isOurs && KeyMetadata.KeyState !== 'PendingDeletion' ? [`key ${KeyId}: ${KeyMetadata.KeyState}`] : [];
		}),
	);
	return found.flat();
}
type Tag = { readonly TagKey: string; readonly TagValue: string };
