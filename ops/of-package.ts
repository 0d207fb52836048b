// The programs for operators in the package, such as `npx @call-back/cdk ops ...`. Each program reads its own arguments, as
// in a clone of the repository.

const [, , program = 'help', ...args] = process.argv;
process.argv.splice(2, process.argv.length, ...args);
process.env['CALL_BACK_PROGRAMS'] = 'npx @call-back/cdk';

switch (program) {
	case 'ops':
		await import('./main.ts');
		break;
	case 'smoke':
		await import('./smoke/main.ts');
		break;
	case 'preflight':
		await import('./preflight/main.ts');
		break;
	default:
		console.error(`Operates the Call-Back Widget Service that this package deploys.

npx @call-back/cdk ops <command>          create workspaces, replay dead letters, erase a person: --help lists all
npx @call-back/cdk smoke [--outputs FILE] checks a deployment in three minutes, without ringing a phone
npx @call-back/cdk preflight              asks AWS and the provider whether a deployment will work; reads only

FILE is what \`cdk deploy --outputs-file FILE\` wrote; by default outputs.json.`);
		process.exitCode = program === '--help' || program === 'help' ? 0 : 2;
}
