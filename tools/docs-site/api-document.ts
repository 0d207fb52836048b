import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The document that the API reference shows. This document is docs/openapi.json with the URL to which a reader's requests
// go.

const root = join(import.meta.dirname, '../..');
const PLACEHOLDER = 'https://api.example.com/v1';

type Server = { readonly url: string; readonly description: string };
type Operation = { readonly 'x-required-permission'?: string; readonly 'x-internal'?: boolean };
type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
type ApiDocument = { readonly paths: Operations; readonly webhooks: Operations; readonly servers: readonly Server[] };

/**
 * The server in the code samples: `address` if it is given, otherwise the local stack that wrote `factsFile`. Without either, a
 * placeholder asks the reader to type an address.
 */
export function apiServer(address: string | undefined, factsFile: string): Server {
	if (address) return { url: address, description: 'The API that this site was built for.' };
	if (!existsSync(factsFile)) return { url: PLACEHOLDER, description: 'A placeholder: put the address of your API.' };
	return { url: JSON.parse(readFileSync(factsFile, 'utf8')).base_url, description: 'The stack on this machine.' };
}

/**
 * Adds the permission that an operation needs. Removes `x-internal`, which hides webhooks from programs that generate clients,
 * so that readers see the webhooks.
 */
function forReaders({ 'x-internal': _, ...operation }: Operation): object {
	const permission = operation['x-required-permission'];
	return { ...operation, ...(permission !== undefined && { 'x-badges': [{ name: permission }] }) };
}

const eachOperation = (operations: Operations): object =>
	Object.fromEntries(
		Object.entries(operations).map(([path, methods]) => [
			path,
			Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, forReaders(operation)])),
		]),
	);

/** docs/openapi.json with this server. Each operation has a badge for the permission that it needs. */
export function apiDocument(server: Server): object {
	const document: ApiDocument = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
	const { paths, webhooks } = document;
	return { ...document, servers: [server], paths: eachOperation(paths), webhooks: eachOperation(webhooks) };
}
