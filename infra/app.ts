import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallBackStack } from './call-back-stack.ts';
import { context } from './context.ts';

// The whole deployment. `BUNDLES` names the directory of function bundles (see build/bundle.ts), `cdk synth` needs no
// AWS credentials.
const app = new App({ context, analyticsReporting: false });
new CallBackStack(app, 'CallBack', { bundles: process.env['BUNDLES'] ?? 'dist/functions' });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
