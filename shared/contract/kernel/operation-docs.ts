import type * as z from 'zod/mini';
import type { Route } from '../route.ts';
import { sharedWords } from './shared-words.ts';

// The texts of the OpenAPI document. Only the build of the document imports them, so that no function's bundle contains
// them.

/**
 * A description for every member (field) of a schema. A member that means the same in several schemas has its description
 * in `sharedWords`.
 */
type Members<S extends z.ZodMiniType> = {
	readonly [K in Exclude<keyof z.input<S>, keyof typeof sharedWords>]-?: string;
} & { readonly [K in keyof z.input<S> & keyof typeof sharedWords]?: string };

/** A schema with its descriptions. `members` describes the fields of an object. */
export type Component = {
	readonly schema: z.ZodMiniType;
	readonly description?: string;
	readonly members?: Readonly<Record<string, string>>;
};

/** An object schema with its descriptions. If a member has no description, this does not compile. */
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
	/** Response headers that only this operation has. */
	readonly answer_headers?: readonly string[];
	/** Filters of a list that accept several values, such as `status`. Each filter has the schema of one value. */
	readonly several?: Readonly<Record<string, z.ZodMiniType>>;
};

/** For a part of a request that has no fields. */
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

/** The documentation of a group of routes. If a route has no texts or examples, this does not compile. */
export type Docs<Table extends readonly Route[]> = Group & {
	readonly operations: { readonly [R in Table[number] as R['operation']]: OperationDocsOf<R> };
};
