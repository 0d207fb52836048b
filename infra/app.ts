import { createApp } from './create-app.ts';
import { PropertiesError } from './properties.ts';

// The CDK app that `cdk` runs. `BUNDLES` may name another directory with the functions' bundles. Synthesising needs no AWS
// credentials.
try {
	createApp({ bundles: process.env['BUNDLES'] ?? 'dist/functions' }).synth();
} catch (error) {
	if (!(error instanceof PropertiesError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
