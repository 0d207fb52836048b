/**
 * The tests of what the README and the pages promise to a newcomer. They cover a new clone, every command and code block, the
 * packages in empty projects, clients of common generators, linters, and the documentation's site. They also kill a stack in the
 * middle of calls, run the smoke test, play whole weeks of an owner, and search for phone numbers in everything that a call
 * leaves behind. They install packages, build other people's programs, or take minutes, so only `npm run lab -- promises` and CI
 * run them. `npm test` does not. For each rule that they check on a whole stack or in a thousand cases, `npm test` has a smaller
 * and more direct test.
 */
export const promises: readonly string[] = [
	'api/every-ending',
	'architecture/linked-packages',
	'browser/desk-each-language',
	'browser/desk-story',
	'browser/desk-takeover',
	'browser/docs-site',
	'browser/owner-week',
	'browser/widget-each-built-in',
	'docs/aws-commands',
	'docs/newcomer',
	'infra/cfn-lint',
	'lab/bench/bench',
	'lab/world/many-worlds',
	'local/kill',
	'local/operator/smoke',
	'openapi/breaking-changes',
	'openapi/generated-clients',
	'openapi/linters',
	'packages/cdk',
	'packages/next',
	'packages/packages',
	'packages/react',
	'upgrade/written-today',
];

/**
 * Tests of which `npm test` runs less: some cases of their tables, or fewer random requests. `npm run lab -- promises` runs all of
 * them (see `spreadOf` and `hasEachCase`).
 */
export const tables: readonly string[] = [
	'api/idempotency',
	'browser/callback-link',
	'browser/console',
	'browser/desk-kit',
	'browser/developers',
	'browser/widget-choice',
	'browser/widget-looks',
	'browser/widget-on-odd-pages',
	'browser/widget-on-the-page',
	'browser/widget-translated',
	'browser/widget-visits',
	'hostile/in-process',
	'openapi/on-the-stack',
];

/** The pattern with which `npm test` excludes a file. */
export const leftOut = (name: string): string => `/test/${name}\\.test\\.ts$`;
