import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../shared/contract/openapi.ts';

// Writes docs/openapi.json, which GET /v1/openapi.json serves. A test compares the file with the schemas. It is indented
// with spaces, because YAML parsers, which also accept JSON, warn about tabs.

writeFileSync(new URL('../../docs/openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
