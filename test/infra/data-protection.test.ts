import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dataProtection, PLACES } from '../../tools/generate/data-protection.ts';
import { deployedTemplate, ofType } from './synthesised.ts';

describe('docs/data-protection.md', () => {
	it('matches the records and the roles (node tools/generate/data-protection.ts rewrites it)', () => {
		expect(readFileSync(join(import.meta.dirname, '../../docs/data-protection.md'), 'utf8')).toBe(dataProtection());
	});

	it('says how long the template keeps logs, messages and backups', async () => {
		const template = await deployedTemplate();
		const of = (type: string) => ofType(template, type).map(([, { Properties }]) => Properties);
		const days = new Set(of('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays));
		expect([...days]).toEqual([PLACES.log_days]);
		const seconds = of('AWS::SQS::Queue').map(({ MessageRetentionPeriod = 4 * 86_400 }) => MessageRetentionPeriod);
		expect(Math.max(...seconds)).toBe(PLACES.message_days * 86_400);
		const [recovery] = of('AWS::DynamoDB::Table').map((each) => each['PointInTimeRecoverySpecification']);
		expect(recovery).toEqual({ PointInTimeRecoveryEnabled: true });
	});
});
