import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const SOURCE = join(root, 'infra/properties.ts');

/**
 * The types of the construct's properties as plain interfaces with their documentation, as users of CDK know them. They are
 * inferred from a schema, and the inferred types would need zod and have lost the comments.
 */
export function propertyInterfaces(): string {
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
	const program = ts.createProgram([SOURCE], { ...options, noEmit: true });
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(SOURCE);
	if (source === undefined) throw new Error(`${SOURCE} cannot be read`);
	const comments = commentsIn(source);
	const typeOf = (alias: string): ts.Type => {
		const declaration = source.statements.find(
			(each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === alias,
		);
		if (declaration === undefined) throw new Error(`${SOURCE} has no type ${alias}`);
		return checker.getTypeAtLocation(declaration.name);
	};
	const typeOfProperty = (type: ts.Type, name: string): ts.Type | undefined => {
		const property = type.getProperty(name);
		return property && checker.getTypeOfSymbol(property);
	};
	const members = (type: ts.Type, group: string): string =>
		type
			.getProperties()
			.map((property) => member(checker, property, comments, group))
			.join('');
	const telephony = typeOf('TelephonyProps');
	const providers = (telephony.isUnion() ? telephony.types : [telephony]).flatMap((type) => {
		const provider = typeOfProperty(type, 'provider');
		const name = provider?.isStringLiteral() ? provider.value : '';
		// A provider of ours for trials, which no adopter deploys.
		if (name === 'simulator') return [];
		const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Props`;
		return [{ title, text: `export interface ${title} {\n${members(type, name)}}\n` }];
	});
	return `${providers.map(({ text }) => text).join('')}export type TelephonyProps = ${providers.map(({ title }) => title).join(' | ')};
/** The properties of the construct \`CallBack\`. */
export interface CallBackProps {
${members(typeOf('CallBackProps'), 'propertiesOf')}}
`;
}

/** The comment of every member of a schema, by the name of its variable or function and its own: `twilio.accountSid`. */
function commentsIn(source: ts.SourceFile): ReadonlyMap<string, string> {
	const comments = new Map<string, string>();
	const visit = (node: ts.Node, group: string): void => {
		const isMember = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
		const [range] = isMember ? (ts.getLeadingCommentRanges(source.text, node.pos) ?? []) : [];
		if (isMember && range !== undefined && ts.isIdentifier(node.name)) {
			comments.set(`${group}.${node.name.text}`, source.text.slice(range.pos, range.end));
		}
		const opens = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
		const inner = opens && node.name && ts.isIdentifier(node.name) ? node.name.text : group;
		ts.forEachChild(node, (child) => visit(child, inner));
	};
	visit(source, '');
	return comments;
}

function member(
	checker: ts.TypeChecker,
	property: ts.Symbol,
	comments: ReadonlyMap<string, string>,
	group: string,
): string {
	const { name } = property;
	const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
	const text =
		name === 'telephony' ? 'TelephonyProps' : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
	const comment = comments.get(`${group}.${name}`);
	const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
	return `${comment === undefined ? '' : `\t${comment}\n`}\treadonly ${name}${optional}: ${text};\n`;
}
