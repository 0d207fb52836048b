import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

const stack = suiteStack();

it('the sweep logs the release of the time zone data that the opening hours use', async () => {
	const swept = await eventually('a sweep', async () => {
		const lines = readFileSync(join(stack.state_dir, 'logs', 'sweep.log'), 'utf8')
			.trim()
			.split('\n');
		return lines.find((line) => line.includes('"fact":"swept"')) ?? null;
	});
	expect(JSON.parse(swept)).toMatchObject({ zone_data: process.versions['tz'] });
	expect(process.versions['tz']).toMatch(/^20\d\d[a-z]$/);
});
