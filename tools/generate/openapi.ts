import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../shared/contract/openapi.ts';

// Writes docs/openapi.json, which GET /v1/openapi.json returns. A test compares the file with the schemas. The file is
// indented with spaces, because parsers of YAML accept JSON but warn about tabs.

writeFileSync(new URL('../../docs/openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
