import { createApp } from './create-app.ts';

// The CDK app that `cdk` runs. `BUNDLES` names another directory of function bundles; no AWS credentials are needed to
// synthesise.
createApp({ bundles: process.env['BUNDLES'] ?? 'dist/functions' }).synth();
