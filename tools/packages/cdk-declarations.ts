import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const ENTRY = join(root, 'packages/cdk/index.ts');
/** The sources that contain the declarations of the package, and the imports that these declarations need. */
const SOURCES = [ENTRY, ...['call-back', 'properties', 'alias-target', 'constructs/alarms/metrics'].map(infraFile)];
const UNIONS = ['QueueName', 'FunctionName', 'ServiceMetric'] as const;

function infraFile(name: string): string {
	return join(root, 'infra', `${name}.ts`);
}

/**
 * The declarations of the construct's package: one class, and plain interfaces for its properties, as users of the CDK
 * expect. The types in the sources cannot be used as they are. These types are inferred from schemas and from the route
 * table. So the types would need zod and the whole contract, and would lose the comments.
 */
export function cdkDeclarations(): string {
	const program = programOf();
	const body = [
		propertyInterfaces(program),
		...UNIONS.map((name) => union(program, name)),
		declarationIn(program, infraFile('alias-target'), 'AliasTarget'),
		theClass(program),
	].join('\n');
	return `${imports(program, body)}\n\n${body}`;
}

function programOf(): ts.Program {
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
	return ts.createProgram(SOURCES, { ...options, noEmit: true });
}

function sourceOf(program: ts.Program, file: string): ts.SourceFile {
	const source = program.getSourceFile(file);
	if (source === undefined) throw new Error(`${file} cannot be read`);
	return source;
}

/** The imports from the CDK that a text needs, written as in the sources. */
function imports(program: ts.Program, text: string): string {
	const words = new Set(text.replace(/\/\*[\s\S]*?\*\//g, '').match(/\w+/g));
	const needed = SOURCES.flatMap((file) => sourceOf(program, file).statements.flatMap(importedBy)).filter(({ name }) =>
		words.has(name),
	);
	const modules = [...new Set(needed.map(({ module }) => module))].sort();
	const namesOf = (module: string) => needed.flatMap((each) => (each.module === module ? each.name : []));
	return modules
		.map((module) => `import { ${[...new Set(namesOf(module))].sort().join(', ')} } from '${module}';`)
		.join('\n');
}

/** The names that a statement imports from the CDK. */
function importedBy(statement: ts.Statement): readonly { readonly module: string; readonly name: string }[] {
	if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
	const { text: module } = statement.moduleSpecifier;
	const bindings = statement.importClause?.namedBindings;
	if (!/^(aws-cdk-lib|constructs)/.test(module) || bindings === undefined || !ts.isNamedImports(bindings)) return [];
	return bindings.elements.map(({ name }) => ({ module, name: name.text }));
}

/** The comment before a node. A member's comment is indented by one level. */
function commentOf(node: ts.Node, indentation = ''): string {
	const { text } = node.getSourceFile();
	const range = (ts.getLeadingCommentRanges(text, node.pos) ?? []).findLast(({ pos }) => text.startsWith('/**', pos));
	if (range === undefined) return '';
	return `${indentation}${text.slice(range.pos, range.end).replace(/\n\s*/g, `\n${indentation} `)}\n`;
}

/** A declaration as it is written in the source, with its comment. */
function declarationIn(program: ts.Program, file: string, name: string): string {
	const found = sourceOf(program, file).statements.find(
		(each) => ts.isInterfaceDeclaration(each) && each.name.text === name,
	);
	if (found === undefined) throw new Error(`${file} has no interface ${name}`);
	return `${commentOf(found)}${found.getText()}\n`;
}

/**
 * The declaration of a type that is a union of string literals. The sources derive the type from other code. The declaration
 * lists the strings.
 */
function union(program: ts.Program, name: (typeof UNIONS)[number]): string {
	const checker = program.getTypeChecker();
	const module = checker.getSymbolAtLocation(sourceOf(program, ENTRY));
	const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
	if (symbol === undefined) throw new Error(`${ENTRY} does not export ${name}`);
	const aliased = checker.getAliasedSymbol(symbol);
	const type = checker.getDeclaredTypeOfSymbol(aliased);
	const [declaration] = aliased.declarations ?? [];
	if (!type.isUnion() || declaration === undefined) throw new Error(`${name} is no union`);
	const comments = commentsIn(declaration.getSourceFile());
	const choices = type.types
		.flatMap((each) => (each.isStringLiteral() ? each.value : []))
		.sort()
		.map((value) => `${comments.get(`serviceMetrics.${value}`) ?? ''}\t| '${value}'`);
	return `${commentOf(declaration)}export type ${name} =\n${choices.join('\n')};\n`;
}

/**
 * The class of the package. It has the constructor of the construct's class, and the public members that this class inherits from
 * the service's own class.
 */
function theClass(program: ts.Program): string {
	const classIn = (file: string): ts.ClassDeclaration => {
		const found = sourceOf(program, file).statements.find((each) => ts.isClassDeclaration(each));
		if (found === undefined) throw new Error(`${file} has no class`);
		return found;
	};
	const own = classIn(ENTRY);
	const service = classIn(infraFile('call-back'));
	const members = [
		...own.members.filter((each) => ts.isConstructorDeclaration(each)),
		...service.members.filter((each) => !ts.isConstructorDeclaration(each) && !isPrivate(each)),
	];
	return `${commentOf(own)}export declare class CallBack extends Construct {\n${members.map(classMember).join('')}}\n`;
}

const isPrivate = (member: ts.ClassElement): boolean =>
	(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;

function classMember(member: ts.ClassElement): string {
	return `${commentOf(member, '\t')}\t${signatureOf(member)};\n`;
}

function signatureOf(member: ts.ClassElement): string {
	const name = member.name?.getText() ?? '';
	if (ts.isConstructorDeclaration(member)) return `constructor(${parametersOf(member)})`;
	if (ts.isPropertyDeclaration(member)) return `readonly ${name}: ${typeOf(member, name)}`;
	if (ts.isGetAccessorDeclaration(member)) return `get ${name}(): ${typeOf(member, name)}`;
	if (ts.isMethodDeclaration(member)) return `${name}(${parametersOf(member)}): ${typeOf(member, name)}`;
	throw new Error(`${name}: no declaration is known for it`);
}

function typeOf({ type }: { readonly type?: ts.TypeNode | undefined }, name: string): string {
	if (type === undefined) throw new Error(`${name} needs a type of its own: the declarations show it as it is written`);
	return type.getText();
}

const parametersOf = ({ parameters }: ts.SignatureDeclaration): string =>
	parameters
		.map((each) => {
			const optional = each.questionToken || each.initializer ? '?' : '';
			return `${each.name.getText()}${optional}: ${typeOf(each, each.name.getText())}`;
		})
		.join(', ');

function propertyInterfaces(program: ts.Program): string {
	const file = infraFile('properties');
	const checker = program.getTypeChecker();
	const source = sourceOf(program, file);
	const comments = commentsIn(source);
	const typeOfAlias = (alias: string): ts.Type => {
		const declaration = source.statements.find(
			(each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === alias,
		);
		if (declaration === undefined) throw new Error(`${file} has no type ${alias}`);
		return checker.getTypeAtLocation(declaration.name);
	};
	const typeOfProperty = (type: ts.Type, name: string): ts.Type | undefined => {
		const property = type.getProperty(name);
		return property && checker.getTypeOfSymbol(property);
	};
	const members = (type: ts.Type, group: string): string =>
		type
			.getProperties()
			.map((property) => propertyMember(checker, property, comments.get(`${group}.${property.name}`)))
			.join('');
	const telephony = typeOfAlias('TelephonyProps');
	const providers = (telephony.isUnion() ? telephony.types : [telephony]).flatMap((type) => {
		const provider = typeOfProperty(type, 'provider');
		const name = provider?.isStringLiteral() ? provider.value : '';
		// The simulator is a provider only for trials, so no customer deploys it.
		if (name === 'simulator') return [];
		const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
		const comment = `/** ${title} places the calls. */\n`;
		return [{ title, text: `${comment}export interface ${title}Props {\n${members(type, name)}}\n` }];
	});
	return `${providers.map(({ text }) => text).join('\n')}
/** Who places the calls. */
export type TelephonyProps = ${providers.map(({ title }) => `${title}Props`).join(' | ')};

/** The properties of the construct \`CallBack\`. */
export interface CallBackProps {
${members(typeOfAlias('CallBackProps'), 'propertiesOf')}}
`;
}

/**
 * The comment of every member of an object. The key is the name of the object's variable or function, and the member's name:
 * `twilio.accountSid`.
 */
function commentsIn(source: ts.SourceFile): ReadonlyMap<string, string> {
	const comments = new Map<string, string>();
	const visit = (node: ts.Node, group: string): void => {
		const isMember = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
		const comment = isMember ? commentOf(node, '\t') : '';
		if (isMember && comment !== '') comments.set(`${group}.${node.name.getText()}`, comment);
		const opens = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
		const inner = opens && node.name && ts.isIdentifier(node.name) ? node.name.text : group;
		ts.forEachChild(node, (child) => visit(child, inner));
	};
	visit(source, '');
	return comments;
}

/** A member of an interface. Its property must have a comment, because a user of the package sees no other description. */
function propertyMember(checker: ts.TypeChecker, property: ts.Symbol, comment: string | undefined): string {
	const { name } = property;
	if (comment === undefined) throw new Error(`${name} has no comment`);
	const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
	const text =
		name === 'telephony' ? 'TelephonyProps' : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
	const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
	if (isOptional && !comment.includes('@default')) throw new Error(`${name} does not say its @default`);
	return `${comment}\treadonly ${name}${isOptional ? '?' : ''}: ${text};\n`;
}
