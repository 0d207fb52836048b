import type { MetadataBearer, OperationSchema, StaticOperationSchema } from '@smithy/types';

/** An operation of the SDK's model, with the SDK's types of both sides. */
export type Operation<In extends object, Out extends MetadataBearer> = OperationSchema & {
	readonly sides?: { readonly input: In; readonly output: Out };
};

/**
 * Takes an operation from a package of the SDK. Its command class has the same schema and input, but brings endpoint rules
 * and middleware into every bundle. Unused operations add nothing to a bundle.
 */
// @__NO_SIDE_EFFECTS__
export function operation<In extends object, Out extends MetadataBearer>(
	schema: StaticOperationSchema,
): Operation<In, Out> {
	const [, namespace, name, traits, input, output] = schema;
	return { namespace, name, traits, input, output };
}
