import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { PhoneNumbers } from '../../shared/ports/phone-numbers.ts';
import { OperatorError } from '../operator-error.ts';

/**
 * The number in E.164. If the argument is missing or `-`, the number is read from the first line of the standard input, so
 * that no shell history contains it. The terminal does not show the number while a person types it.
 */
export async function numberArgument(argument: string | undefined, numbers: PhoneNumbers): Promise<string> {
	const phone = numbers.parse(argument === undefined || argument === '-' ? await typedLine() : argument);
	if ('refused' in phone) throw new OperatorError('the number is not valid in international format (+1 202 …)');
	return phone.e164;
}

async function typedLine(): Promise<string> {
	const terminal = process.stdin.isTTY;
	if (terminal) process.stderr.write('Number (it is not shown): ');
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: silent, terminal });
	try {
		for await (const line of lines) return line;
		return '';
	} finally {
		lines.close();
		if (terminal) process.stderr.write('\n');
	}
}
