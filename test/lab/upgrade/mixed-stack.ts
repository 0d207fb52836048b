import { join, resolve } from 'node:path';
import { readOptions } from '../../../local/options.ts';
import { startStack } from '../../../local/stack.ts';
import { mixed, templateIn } from './mix.ts';

// Runs `npm start` as if half-way through a deployment. FORMER_CDK_OUT contains the former release's functions, and MIX_SEED
// decides which of them are used.

const { FORMER_CDK_OUT = '', MIX_SEED = '' } = process.env;
const options = readOptions(process.argv.slice(2));
const former = { template: templateIn(FORMER_CDK_OUT), assets: resolve(FORMER_CDK_OUT) };
const assets = join(resolve(options.state_dir), 'cdk.out');
const stack = await startStack(options, {
	with_history: true,
	alter: (template) => mixed({ template, assets }, former, Number(MIX_SEED)),
});
console.log('The stack is up');
process.on('SIGTERM', () => void stack.stop().then(() => process.exit(0)));
