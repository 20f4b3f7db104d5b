import { isJsonObject, type Json, type JsonObject } from '../shared/json.ts';
import { readTokens, type TokenReader } from '../shared/token-reader.ts';

/** Whether a line matches a filter pattern. */
export type LineMatches = (line: JsonObject) => boolean;

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

const comparisons: Readonly<Record<Operator, (value: number, wanted: number) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '<': (value, wanted) => value < wanted,
  '<=': (value, wanted) => value <= wanted,
  '>': (value, wanted) => value > wanted,
  '>=': (value, wanted) => value >= wanted,
};

/**
 * Reads a pattern for JSON lines (CloudWatch Logs User Guide, "Filter pattern syntax", JSON log events): comparisons of
 * members with texts and numbers, `IS NULL`, `IS TRUE`, `IS FALSE`, `NOT EXISTS`, `&&`, `||` and parentheses. `*` in a
 * text stands for any characters. A text is never equal to a number, and a member that is missing matches `NOT EXISTS`
 * alone. Regular expressions, patterns for other lines, and elements of lists are not supported.
 *
 * @throws {Error} saying what is not understood
 */
export function parseFilterPattern(pattern: string): LineMatches {
  const [, inner] = /^\{(.*)\}$/s.exec(pattern.trim()) ?? [];
  if (inner === undefined) {
    throw new Error('only patterns for JSON, in braces, are supported');
  }
  const parser = readTokens(tokensOf(inner), 'it');
  const matches = parseOr(parser);
  const rest = parser.peek();
  if (rest !== undefined) {
    throw new Error(`it goes on after its end, with ${rest}`);
  }
  return matches;
}

/** Quoted texts, operators, parentheses and words. */
const tokenPattern = /"(?:[^"\\]|\\.)*"|&&|\|\||!=|<=|>=|[=<>()]|[^\s()=<>!&|"]+|\S/g;

function tokensOf(text: string): readonly string[] {
  return text.match(tokenPattern) ?? [];
}

function parseOr(parser: TokenReader): LineMatches {
  const terms = [parseAnd(parser)];
  while (parser.accept('||')) {
    terms.push(parseAnd(parser));
  }
  return (line) => terms.some((matches) => matches(line));
}

function parseAnd(parser: TokenReader): LineMatches {
  const terms = [parseTerm(parser)];
  while (parser.accept('&&')) {
    terms.push(parseTerm(parser));
  }
  return (line) => terms.every((matches) => matches(line));
}

function parseTerm(parser: TokenReader): LineMatches {
  if (!parser.accept('(')) {
    return parseComparison(parser);
  }
  const matches = parseOr(parser);
  parser.require(')');
  return matches;
}

function parseComparison(parser: TokenReader): LineMatches {
  const read = selectorOf(parser.next());
  const operator = parser.next();
  if (operator === 'IS') {
    const wanted = literalOf(parser.next());
    return (line) => read(line) === wanted;
  }
  if (operator === 'NOT' && parser.accept('EXISTS')) {
    return (line) => read(line) === undefined;
  }
  if (!isOperator(operator)) {
    throw new Error(`${operator} is not an operator`);
  }
  const compares = comparisonWith(parser.next(), operator);
  return (line) => compares(read(line));
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(comparisons, text);
}

function literalOf(word: string): Json {
  switch (word) {
    case 'NULL':
      return null;
    case 'TRUE':
      return true;
    case 'FALSE':
      return false;
    default:
      throw new Error(`IS ${word} is not supported`);
  }
}

function comparisonWith(wanted: string, operator: Operator): (value: Json | undefined) => boolean {
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(wanted) ? Number(wanted) : undefined;
  if (number !== undefined) {
    const compare = comparisons[operator];
    return (value) => typeof value === 'number' && compare(value, number);
  }
  if (operator !== '=' && operator !== '!=') {
    throw new Error(`${operator} compares numbers, and ${wanted} is none`);
  }
  const expression = expressionOf(textOf(wanted));
  const equal = operator === '=';
  return (value) => typeof value === 'string' && expression.test(value) === equal;
}

function textOf(token: string): string {
  if (token.startsWith('"')) {
    return String(JSON.parse(token));
  }
  if (/^[\w.*:/-]+$/.test(token)) {
    return token;
  }
  throw new Error(`the value ${token} is not supported`);
}

function expressionOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/**
 * Reads a selector of a member, such as `$.error.kind`.
 *
 * @returns takes a line, and gives its member; undefined when the line has none
 * @throws {Error} naming a selector that is not supported
 */
export function selectorOf(selector: string): (line: JsonObject) => Json | undefined {
  const [, path] = /^\$\.([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)$/.exec(selector) ?? [];
  if (path === undefined) {
    throw new Error(`the selector ${selector} is not supported`);
  }
  const names = path.split('.');
  return (line) =>
    names.reduce<Json | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), line);
}
