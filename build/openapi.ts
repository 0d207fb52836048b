import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../shared/contract/openapi.ts';

// Writes docs/openapi.json, which GET /v1/openapi.json serves. A test holds the file to the schemas. Spaces: YAML readers, which take
// JSON too, warn of tabs.

writeFileSync(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
