import ts from 'typescript';

/** A test as its source has it. */
export interface SourceTest {
  /** With placeholders, if it has cases. */
  readonly title: string;
  /**
   * The values of each case, in the order of the placeholders; undefined for a value that the source does not spell
   * out. Absent for a test that is not made for each of several cases.
   */
  readonly cases?: readonly (readonly unknown[])[];
}

/** Tests made by `test(...)` and `test.for(...)(...)`, whose cases are a literal or a constant of the same file. */
export function testsInSource(file: string, source: string): SourceTest[] {
  const tests: SourceTest[] = [];
  const sourceFile = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const constants = constantsOf(sourceFile);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) {
        tests.push({ title: title.text, ...casesOf(node.expression, constants) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return tests;
}

type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(file: ts.SourceFile): Constants {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return new Map(
    declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined ? [[name.text, initializer] as const] : [],
    ),
  );
}

/** `test`, or what `test.for(...)` gives. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) {
    return callee.text === 'test';
  }
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    isTest(callee.expression.expression)
  );
}

function casesOf(callee: ts.Expression, constants: Constants): Pick<SourceTest, 'cases'> {
  if (!ts.isCallExpression(callee)) {
    return {};
  }
  const table = resolve(callee.arguments[0], constants);
  // What is computed has cases that nobody can count here: one, whose values are not known.
  if (table === undefined || !ts.isArrayLiteralExpression(table)) {
    return { cases: [[]] };
  }
  return { cases: table.elements.map((element) => valuesOf(resolve(element, constants), constants)) };
}

function valuesOf(element: ts.Expression | undefined, constants: Constants): readonly unknown[] {
  if (element !== undefined && ts.isArrayLiteralExpression(element)) {
    return element.elements.map((value) => literal(value, constants));
  }
  return [literal(element, constants)];
}

/** What is behind `as const` and the name of a constant. */
function resolve(node: ts.Expression | undefined, constants: Constants): ts.Expression | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) {
    return resolve(node.expression, constants);
  }
  return ts.isIdentifier(node) ? resolve(constants.get(node.text), constants) : node;
}

function literal(given: ts.Expression | undefined, constants: Constants): unknown {
  const node = resolve(given, constants);
  if (node === undefined) {
    return undefined;
  }
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  if (ts.isNumericLiteral(node)) {
    return Number(node.text);
  }
  if (!ts.isBinaryExpression(node)) {
    return undefined;
  }
  const [left, right] = [literal(node.left, constants), literal(node.right, constants)];
  if (typeof left !== 'number' || typeof right !== 'number') {
    return undefined;
  }
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) {
    return left * right;
  }
  return node.operatorToken.kind === ts.SyntaxKind.PlusToken ? left + right : undefined;
}
