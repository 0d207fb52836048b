import { readJson } from '../input/read-json.ts';
import { OperatorError } from '../operator-error.ts';
import { Evidence } from './evidence-file.ts';
import { replay } from './replay.ts';

// npm run replay -- <file> Replays the evidence of a call (npm run ops -- evidence) offline. Exit code 1: we would decide
// otherwise today, or our outcome does not agree with what the provider said.

const [file] = process.argv.slice(2);
try {
	if (file === undefined) throw new OperatorError('npm run replay -- <file>');
	const result = replay(readJson(file, Evidence, 'npm run --silent ops -- evidence --call <id> > <file> writes one'));
	console.log(JSON.stringify(result, null, 2));
	process.exitCode = result.differs.length + result.disagrees.length === 0 ? 0 : 1;
} catch (error) {
	if (!(error instanceof OperatorError)) throw error;
	console.error(error.message);
	process.exitCode = 2;
}
