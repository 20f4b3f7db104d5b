import { readTokens, type TokenReader } from '../shared/token-reader.ts';

/** A metric math expression: its value in one period, of the values that its metrics have there. */
export interface MathExpression {
  /** Undefined: no data. */
  readonly evaluate: (lookUp: (id: string) => number | undefined) => number | undefined;
  /** Ids of the metrics that it names. */
  readonly ids: readonly string[];
}

type Value = number | undefined;
type Evaluate = (lookUp: (id: string) => Value) => Value;

/** What a function makes of the values of a list that have data. */
const functions: Readonly<Record<string, (values: readonly number[]) => number>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  AVG: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  MIN: (values) => Math.min(...values),
  MAX: (values) => Math.max(...values),
};

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

/**
 * Reads an expression (CloudWatch User Guide, "Using math expressions with CloudWatch metrics"): numbers, ids of metrics,
 * `+ - * /`, parentheses, SUM, AVG, MIN and MAX of a list such as `SUM([m1, m2])`, and `FILL(m1, 0)`. An operator needs
 * data on both sides; a function takes what there is. Other functions are not supported.
 *
 * @throws {Error} saying what is not understood
 */
export function parseExpression(text: string): MathExpression {
  const tokens = text.match(/\d+(?:\.\d+)?|\w+|[^\s\w]/g) ?? [];
  const parser = { ...readTokens(tokens, 'the expression'), ids: [] as string[] };
  const evaluate = parseSum(parser);
  const rest = parser.peek();
  if (rest !== undefined) {
    throw new Error(`the expression goes on after its end, with ${rest}`);
  }
  return { evaluate, ids: parser.ids };
}

interface Parser extends TokenReader {
  readonly ids: string[];
}

function parseSum(parser: Parser): Evaluate {
  return parseOperators(parser, ['+', '-'], parseProduct);
}

function parseProduct(parser: Parser): Evaluate {
  return parseOperators(parser, ['*', '/'], parseOperand);
}

/** Operators of one rank, from left to right. */
function parseOperators(
  parser: Parser,
  rank: readonly string[],
  parseNext: (parser: Parser) => Evaluate,
): Evaluate {
  let left = parseNext(parser);
  for (;;) {
    const operator = rank.find((each) => parser.accept(each));
    if (operator === undefined) {
      return left;
    }
    left = combine(operators[operator], left, parseNext(parser));
  }
}

/** A division by zero has no data. */
function combine(
  operate: ((left: number, right: number) => number) | undefined,
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  return (lookUp) => {
    const [one, other] = [left(lookUp), right(lookUp)];
    if (operate === undefined || one === undefined || other === undefined) {
      return undefined;
    }
    const value = operate(one, other);
    return Number.isFinite(value) ? value : undefined;
  };
}

function parseOperand(parser: Parser): Evaluate {
  if (parser.accept('(')) {
    const inner = parseSum(parser);
    parser.require(')');
    return inner;
  }
  if (parser.accept('-')) {
    return combine(operators['-'], () => 0, parseOperand(parser));
  }
  const token = parser.next();
  if (/^\d/.test(token)) {
    return () => Number(token);
  }
  if (parser.accept('(')) {
    return parseFunction(parser, token);
  }
  if (!/^[a-z]\w*$/.test(token)) {
    throw new Error(`the expression has ${token}, which is not supported`);
  }
  parser.ids.push(token);
  return (lookUp) => lookUp(token);
}

/** What a period without data has instead. `REPEAT` and `LINEAR` are not supported. */
function parseFill(parser: Parser): Evaluate {
  const filled = parseSum(parser);
  parser.require(',');
  const sign = parser.accept('-') ? -1 : 1;
  const token = parser.next();
  if (!/^\d/.test(token)) {
    throw new Error(`the expression fills with ${token}, which is not supported`);
  }
  parser.require(')');
  return (lookUp) => filled(lookUp) ?? sign * Number(token);
}

function parseFunction(parser: Parser, name: string): Evaluate {
  if (name === 'FILL') {
    return parseFill(parser);
  }
  const reduce = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (reduce === undefined) {
    throw new Error(`the expression has the function ${name}, which is not supported`);
  }
  parser.require('[');
  const items = [parseSum(parser)];
  while (parser.accept(',')) {
    items.push(parseSum(parser));
  }
  parser.require(']');
  parser.require(')');
  return (lookUp) => {
    const values = items.map((item) => item(lookUp)).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : reduce(values);
  };
}
