import type * as z from 'zod/mini';
import type { Route } from '../route.ts';
import { sharedWords } from './shared-words.ts';

// The words of the OpenAPI document. Only the document's build imports them, so no bundle contains them.

/** Words for every member; those that mean the same in several schemas have shared ones. */
type Members<S extends z.ZodMiniType> = {
	readonly [K in Exclude<keyof z.input<S>, keyof typeof sharedWords>]-?: string;
} & { readonly [K in keyof z.input<S> & keyof typeof sharedWords]?: string };

/** A schema with its words. The envelope of a resource needs none. */
export type Component = {
	readonly schema: z.ZodMiniType;
	readonly description?: string;
	readonly members?: Readonly<Record<string, string>>;
};

/** An object. A member without its words does not compile. */
export function withDescriptions<S extends z.ZodMiniType>(
	schema: S,
	{ members, ...words }: { readonly description?: string; readonly members: Members<S> },
): Component {
	return { schema, members: { ...sharedWords, ...members }, ...words };
}

export function pageComponent(schema: z.ZodMiniType): Component {
	const members = {
		data: 'Newest first.',
		has_more: 'Whether there is another page.',
		next_cursor: 'To get the next page, send this as `cursor` with the same filters; null on the last page.',
	};
	return { schema, members };
}

export type OperationDocs = {
	readonly text: string;
	readonly body?: unknown;
	readonly answer?: unknown;
	/** Response headers of this operation alone. */
	readonly answer_headers?: readonly string[];
	/** In a list: the filters that take several values, such as `status`, with the values. */
	readonly several?: Readonly<Record<string, z.ZodMiniType>>;
};

/** The members of a part of a request that has none. */
type None = Record<string, never>;
type StatusOf<Query> = 'status' extends keyof Query
	? { readonly several: { readonly status: z.ZodMiniType } }
	: unknown;
type OperationDocsOf<R extends Route> = Pick<OperationDocs, 'text' | 'answer_headers' | 'several'> &
	(z.input<R['body']> extends None ? unknown : { readonly body: z.input<R['body']> }) &
	(z.output<R['response']> extends null ? unknown : { readonly answer: z.output<R['response']> }) &
	(z.input<R['query']> extends None ? unknown : StatusOf<z.input<R['query']>>);

export type Group = {
	readonly tag: { readonly name: string; readonly description: string };
	readonly operations: Readonly<Record<string, OperationDocs>>;
	readonly components: Readonly<Record<string, Component>>;
};

/** The group of one table's routes. A route without its words and examples does not compile. */
export type Docs<Table extends readonly Route[]> = Group & {
	readonly operations: { readonly [R in Table[number] as R['operation']]: OperationDocsOf<R> };
};
