import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of a style sheet that is next to its module. The build minifies it and puts it next to the function's bundle.
 */
export const styleSheet = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8');
