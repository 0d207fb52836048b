import ts from 'typescript';

const SNAKE = /^[a-z][a-zA-Z0-9]*_[a-zA-Z0-9_]+$/;

type Named = ts.VariableDeclaration | ts.ParameterDeclaration | ts.FunctionDeclaration;
const isNamed = (node: ts.Node): node is Named =>
	ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionDeclaration(node);

/**
 * Finds the variables, parameters and functions of a file that have the wrong case. Fields of records, bodies and settings are
 * snake_case, as on the wire; everything else is camelCase. A variable may have a field's name if it becomes a field by
 * shorthand, or was taken from a field by destructuring.
 */
export function miswritten(file: string, text: string): readonly string[] {
	const declared = new Set<string>();
	const shorthand = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isShorthandPropertyAssignment(node)) shorthand.add(node.name.text);
		if (isNamed(node) && node.name !== undefined && ts.isIdentifier(node.name)) declared.add(node.name.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
	return [...declared].filter((name) => SNAKE.test(name) && !shorthand.has(name));
}
