import { DOCS_PORT } from './site.ts';

/**
 * The configuration of `vite preview`, which serves the built site only on the loopback interface. VitePress's own preview
 * listens on every network interface.
 */
export default {
	appType: 'mpa',
	build: { outDir: '../../dist/docs' },
	preview: { port: DOCS_PORT, strictPort: true },
};
