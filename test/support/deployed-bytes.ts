import { transformSync } from 'esbuild';

const minified = new Map<string, string>();

/** The size of a page of the desk as it is deployed, where its style is minified. */
export const deployedBytes = (html: string): number =>
	Buffer.byteLength(
		html.replace(/(?<=<style>).*?(?=<\/style>)/s, (css) => {
			const known = minified.get(css) ?? transformSync(css, { loader: 'css', minify: true }).code;
			minified.set(css, known);
			return known;
		}),
	);
