import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJsonFile } from '../input/read-json.ts';
import { OperatorError } from '../operator-error.ts';
import type { Bootstrap } from './plan.ts';

// What `cdk synth` writes: a manifest that names the stacks, and their templates
// (https://docs.aws.amazon.com/cdk/v2/guide/deploy-synthesize.html#deploy-how-synth-app).

const Manifest = z.object({
	artifacts: z._default(
		z.record(
			z.string(),
			z.object({
				type: z.string(),
				environment: z.optional(z.string()),
				displayName: z.optional(z.string()),
				properties: z.optional(z.looseObject({})),
			}),
		),
		{},
	),
});
const StackProperties = z.object({
	templateFile: z.string(),
	stackName: z.optional(z.string()),
	requiresBootstrapStackVersion: z.optional(z.number()),
	bootstrapStackVersionSsmParameter: z.optional(z.string()),
});
const StageProperties = z.object({ directoryName: z.string() });
const Template = z.object({
	Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
	Resources: z._default(
		z.record(z.string(), z.object({ Type: z.string(), Properties: z.optional(z.looseObject({})) })),
		{},
	),
});
export type StackTemplate = z.infer<typeof Template>;

/** A stack that contains the service, as a synthesised app describes it. */
export type AppStack = {
	readonly name: string;
	/** The name to pass to `cdk deploy`: the stage and the name of the stack. */
	readonly path: string;
	/**
	 * The account and the region that the app names. If the app does not name them, they are null, and the deployment uses
	 * the account and the region of the credentials.
	 */
	readonly account: string | null;
	readonly region: string | null;
	/** Null if the stack needs no bootstrap. */
	readonly bootstrap: Bootstrap | null;
	readonly template: StackTemplate;
	/** When the stack was synthesised. */
	readonly at_ms: number;
};

/**
 * Reads the stack that contains the service. `chosen` is its name or path. Throws an `OperatorError` if there is no such
 * stack, or more than one.
 */
export function readAppStack(directory: string, chosen: string | undefined): AppStack {
	const hint = 'synthesise the app first (npx cdk synth), or name its output folder with --app';
	if (!existsSync(directory) || !statSync(directory).isDirectory())
		throw new OperatorError(`${directory} is no folder: ${hint}.`);
	const services = stacksIn(directory, hint).filter(({ template }) => 'CallBackBaseUrl' in template.Outputs);
	const paths = services.map(({ path }) => path).join(', ');
	if (services.length === 0)
		throw new OperatorError(`${directory} has no stack with a CallBack: ${hint}. Nothing was asked.`);
	const named =
		chosen === undefined ? services : services.filter(({ name, path }) => name === chosen || path === chosen);
	const [stack, other] = named;
	if (stack === undefined)
		throw new OperatorError(`--stack ${chosen}: expected one of ${paths}, which have a CallBack.`);
	if (other !== undefined) throw new OperatorError(`${directory} has several: ${paths}. Choose one with --stack.`);
	return stack;
}

function stacksIn(directory: string, hint: string): readonly AppStack[] {
	const file = join(directory, 'manifest.json');
	const { artifacts } = readJsonFile(file, Manifest, hint);
	return Object.entries(artifacts).flatMap(([id, { type, environment = '', displayName, properties }]) => {
		if (type === 'cdk:cloud-assembly')
			return stacksIn(join(directory, StageProperties.parse(properties).directoryName), hint);
		if (type !== 'aws:cloudformation:stack') return [];
		const stack = StackProperties.parse(properties);
		const { requiresBootstrapStackVersion: version, bootstrapStackVersionSsmParameter: parameter } = stack;
		const [, , account = '', region = ''] = environment.split('/');
		return [
			{
				name: stack.stackName ?? id,
				path: displayName ?? id,
				account: account === 'unknown-account' ? null : account,
				region: region === 'unknown-region' ? null : region,
				bootstrap: version !== undefined && parameter !== undefined ? { version, parameter } : null,
				template: readJsonFile(join(directory, stack.templateFile), Template, hint),
				at_ms: statSync(file).mtimeMs,
			},
		];
	});
}
