import { createApp } from './create-app.ts';

// What `cdk` runs. `BUNDLES` names another directory of function bundles; no AWS credentials are needed to synthesise.
createApp({ bundles: process.env['BUNDLES'] ?? 'dist/functions' }).synth();
