import { join } from 'node:path';
import { parser, plugin } from 'typescript-eslint';

const SPREAD_LITERAL = {
	selector: 'ObjectExpression > SpreadElement > ObjectExpression',
	message: 'Write the members themselves instead of spreading a literal.',
};
const PARTICIPLES =
	'/^(found|told|given|shown|noted|asked|made|seen|kept|known|wanted|said|heard|sent|meant|gone|rung|chosen|answered|refused|opened|received|changed|handled|listed|named|marked|moved|written)$/';
const NAMED_BY_PARTICIPLE = `:matches(VariableDeclarator, FunctionDeclaration) > Identifier.id[name=${PARTICIPLES}]`;

/** Only what needs types; everything else is Biome's. */
export default [
	{ ignores: ['node_modules/', 'dist/', 'cdk.out/', '.local/', '**/*.js', '**/*.mjs'] },
	{
		files: ['**/*.ts'],
		languageOptions: {
			parser,
			parserOptions: { projectService: true, tsconfigRootDir: join(import.meta.dirname, '../..') },
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		plugins: { '@typescript-eslint': plugin },
		rules: {
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			// A `default` does not count: every switch over a union must handle each new member.
			'@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
			'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
			'no-restricted-syntax': ['error', SPREAD_LITERAL],
		},
	},
	{
		files: ['{shared,functions,infra,ops,local,packages}/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				SPREAD_LITERAL,
				{ selector: NAMED_BY_PARTICIPLE, message: 'Name it by what it holds, not by what happened to it.' },
			],
		},
	},
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/consistent-type-assertions': 'off' } },
];
