import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as z from 'zod/mini';

// Checks responses against the API document of a release. Clients that follow this document have to be able to read each
// response.

export type Asked = { readonly method: string; readonly path: string };
export type Answered = { readonly status: number; readonly json: unknown };
export type Contract = {
	readonly name: string;
	/** Whether the release has this operation. */
	has(asked: Asked): boolean;
	/** Why a client of the release cannot read a response. Null if it can, or if the release lacks the operation. */
	wrong(asked: Asked, answered: Answered): string | null;
};

const Response = z.looseObject({
	$ref: z.optional(z.string()),
	content: z.optional(z.record(z.string(), z.object({ schema: z.looseObject({}) }))),
});
const Operation = z.looseObject({ responses: z.record(z.string(), Response) });
const Schema = z.looseObject({ description: z.optional(z.string()) });
const Document = z.looseObject({
	paths: z.record(z.string(), z.record(z.string(), z.unknown())),
	components: z.looseObject({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Response) }),
});
type Document = z.infer<typeof Document>;

/** If a document says this of an enumeration, clients have to expect unknown values in that enumeration. */
const GROWS = 'New values may be added';

/** The API document in the checkout of a release. */
export const contractOf = ({ name, folder }: { readonly name: string; readonly folder: string }): Contract =>
	contractFrom(name, JSON.parse(readFileSync(join(folder, 'docs/openapi.json'), 'utf8')));

/** Checks responses as clients of this document read them. Such clients ignore unknown fields. */
export function contractFrom(name: string, openapi: unknown): Contract {
	const document = Document.parse(openapi);
	const ajv = new Ajv2020({ strict: false });
	formats.default(ajv);
	ajv.addSchema(withOpenEnumerations(document), DOCUMENT);
	const compiled = new Map<string, ValidateFunction>();
	const validatorOf = (schema: object): ValidateFunction => {
		const text = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${DOCUMENT}#`);
		const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
		compiled.set(text, validate);
		return validate;
	};
	const paths = Object.entries(document.paths).map(([path, methods]) => ({
		form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
		methods,
	}));
	const operationOf = ({ method, path }: Asked): unknown =>
		paths.find(({ form }) => form.test(targetOf(path)))?.methods[method.toLowerCase()];
	return {
		name,
		has: (asked) => operationOf(asked) !== undefined,
		wrong(asked, { status, json }) {
			const found = operationOf(asked);
			if (found === undefined) return null;
			const { method } = asked;
			const target = targetOf(asked.path);
			const { responses } = Operation.parse(found);
			const given = responses[String(status)];
			if (given === undefined) return `${method} ${target} answered ${status}, which is not documented`;
			const response = resolved(given, document);
			const [media] = Object.values(response.content ?? {});
			if (media === undefined) return null;
			const validate = validatorOf(media.schema);
			return validate(json) ? null : `${method} ${target} answered ${status}: ${ajv.errorsText(validate.errors)}`;
		},
	};
}

const DOCUMENT = 'openapi';
const targetOf = (path: string): string => path.split('?')[0] ?? '';

function resolved(response: z.infer<typeof Response>, { components }: Document): z.infer<typeof Response> {
	const name = response.$ref?.split('/').at(-1);
	return name === undefined ? response : (components.responses[name] ?? response);
}

function withOpenEnumerations(document: Document): object {
	const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
		if (!schema.description?.includes(GROWS)) return [name, schema] as const;
		const { enum: _values, ...open } = schema;
		return [name, open] as const;
	});
	return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
