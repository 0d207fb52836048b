import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { callStatesDocument } from '../../build/call-states.ts';
import { deliveryStatesDocument, endpointStatesDocument } from '../../build/machine-states.ts';
import { problemsPage } from '../../build/problems-page.ts';

it.each([
	['docs/call-states.md', callStatesDocument],
	['docs/delivery-states.md', deliveryStatesDocument],
	['docs/endpoint-states.md', endpointStatesDocument],
	['docs/problems.md', problemsPage],
])('%s is what the code says now (npm run docs writes it)', (file, written) => {
	expect(readFileSync(file, 'utf8')).toBe(written());
});
