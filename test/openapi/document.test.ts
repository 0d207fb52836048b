import { expect, it } from '@jest/globals';
import { openApiDocument } from '../../shared/contract/openapi.ts';
import { documentText } from './document.ts';

it('docs/openapi.json is what the route table and the schemas say (node build/openapi.ts rewrites it)', () => {
	expect(documentText).toBe(`${JSON.stringify(openApiDocument(), null, '\t')}\n`);
});
