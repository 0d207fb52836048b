import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A style sheet beside its module. The build puts it, minified, beside the function's bundle. */
export const styleSheet = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8');
