import { join } from 'node:path';
import { parser, plugin } from 'typescript-eslint';

const SPREAD_LITERAL = {
	selector: 'ObjectExpression > SpreadElement > ObjectExpression',
	message: 'Write the members themselves instead of spreading a literal.',
};

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
	{ files: ['test/**/*.ts'], rules: { '@typescript-eslint/consistent-type-assertions': 'off' } },
];
