import { snippetz } from '@scalar/snippetz';

// Sample requests in several languages, for the reader of the API reference to copy.

type Example = { readonly value?: unknown };
type Parameter = { readonly name?: string; readonly in?: string; readonly example?: unknown };
type Operation = {
	readonly security: readonly object[];
	readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
	readonly requestBody?: {
		readonly content: { readonly 'application/json': { readonly examples: Readonly<Record<string, Example>> } };
	};
};
/** The part of an OpenAPI document that the samples need. */
export type ApiDocument = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};
type Sample = { readonly lang: string; readonly source: string | undefined };

/** Placeholder for the address of a deployment. */
const BASE_URL = 'https://api.example.com/v1';
/** Headers that a sample shows because most requests need them. */
const SHOWN_HEADERS = ['Idempotency-Key', 'Origin'];

/** Returns a copy of the document in which every operation has `x-codeSamples`, which Redoc shows with a copy button. */
export function withSamples({ paths, components, ...rest }: ApiDocument): object {
	const resolve = (parameter: Parameter | { readonly $ref: string }): Parameter =>
		'$ref' in parameter ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? {}) : parameter;
	const samples = Object.entries(paths).map(([path, operations]) => {
		const methods = Object.entries(operations).map(([method, operation]) => {
			const parameters = (operation.parameters ?? []).map(resolve);
			return [method, { ...operation, 'x-codeSamples': samplesOf(method, path, operation, parameters) }];
		});
		return [path, Object.fromEntries(methods)];
	});
	return { ...rest, paths: Object.fromEntries(samples), components };
}

function samplesOf(
	method: string,
	path: string,
	{ security, requestBody }: Operation,
	parameters: readonly Parameter[],
): readonly Sample[] {
	const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
	const exampleOf = (parameterName: string): string =>
		String(parameters.find(({ name }) => name === parameterName)?.example ?? '…');
	const usedParameters = parameters.flatMap(({ in: place, name = '', example: value }) =>
		place === 'header' && SHOWN_HEADERS.includes(name) ? [{ name, value: String(value) }] : [],
	);
	const query = path === '/widget/config' ? '?workspace_key=YOUR_WORKSPACE_KEY' : '';
	const request = {
		method: method.toUpperCase(),
		url: BASE_URL + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)) + query,
		headers: [
			...(security.length === 0 ? [] : [{ name: 'Authorization', value: 'Bearer YOUR_API_KEY' }]),
			...(example === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
			...usedParameters,
		],
		...(example !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(example.value) } }),
	};
	const { print } = snippetz();
	return [
		{ lang: 'curl', source: print('shell', 'curl', request) },
		{ lang: 'JavaScript', source: print('node', 'fetch', request) },
		{ lang: 'Python', source: print('python', 'requests', request) },
		{ lang: 'PHP', source: print('php', 'curl', request) },
		{ lang: 'Ruby', source: print('ruby', 'native', request) },
		{ lang: 'Go', source: print('go', 'native', request) },
		{ lang: 'Java', source: print('java', 'nethttp', request) },
		{ lang: 'C#', source: print('csharp', 'httpclient', request) },
	];
}
