import type { CommandIO, MetadataBearer, OperationSchema, StaticOperationSchema } from '@smithy/types';

/** An operation of the SDK's model, with the SDK's types of its input and its output. */
export type AwsOperation<In extends object, Out extends MetadataBearer> = OperationSchema & {
	readonly sides?: { readonly input: In; readonly output: Out };
};

type OutputOf<C> = C extends CommandIO<infer _In, infer Out> ? Out : never;

/**
 * Takes an operation from a package of the SDK. The types of its input and output come from `C`, the command class of the
 * operation. The class itself is not used, because it would add endpoint rules and middleware to every bundle. Operations
 * that are not used add nothing to a bundle.
 */
// @__NO_SIDE_EFFECTS__
export function operation<C extends { readonly input: object }>(
	schema: StaticOperationSchema,
): AwsOperation<C['input'], OutputOf<C>> {
	const [, namespace, name, traits, input, output] = schema;
	return { namespace, name, traits, input, output };
}
