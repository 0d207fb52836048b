/**
 * The tests of what the README and the pages promise to a newcomer: a fresh clone, every command and block, the packages in
 * empty projects, clients of common generators, linters, the documentation's site. They install packages, build what others
 * made, or take minutes: `npm run lab -- promises` and CI run them, `npm test` does not.
 */
export const promises: readonly string[] = [
	'architecture/linked-packages',
	'browser/docs-site',
	'docs/aws-commands',
	'docs/newcomer',
	'infra/cfn-lint',
	'lab/bench/bench',
	'openapi/breaking-changes',
	'openapi/generated-clients',
	'openapi/linters',
	'packages/cdk',
	'packages/next',
	'packages/packages',
	'packages/react',
];

/** The pattern by which `npm test` leaves a file out. */
export const leftOut = (name: string): string => `/test/${name}\\.test\\.ts$`;
