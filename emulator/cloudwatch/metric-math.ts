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
  const parser = { tokens, at: 0, ids: [] as string[] };
  const evaluate = parseSum(parser);
  if (parser.at < tokens.length) {
    throw new Error(`the expression goes on after its end, with ${tokens[parser.at]}`);
  }
  return { evaluate, ids: parser.ids };
}

interface Parser {
  readonly tokens: readonly string[];
  readonly ids: string[];
  at: number;
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
    const operator = rank.find((each) => accept(parser, each));
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
  if (accept(parser, '(')) {
    const inner = parseSum(parser);
    require(parser, ')');
    return inner;
  }
  if (accept(parser, '-')) {
    return combine(operators['-'], () => 0, parseOperand(parser));
  }
  const token = next(parser);
  if (/^\d/.test(token)) {
    return () => Number(token);
  }
  if (accept(parser, '(')) {
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
  require(parser, ',');
  const sign = accept(parser, '-') ? -1 : 1;
  const token = next(parser);
  if (!/^\d/.test(token)) {
    throw new Error(`the expression fills with ${token}, which is not supported`);
  }
  require(parser, ')');
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
  require(parser, '[');
  const items = [parseSum(parser)];
  while (accept(parser, ',')) {
    items.push(parseSum(parser));
  }
  require(parser, ']');
  require(parser, ')');
  return (lookUp) => {
    const values = items.map((item) => item(lookUp)).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : reduce(values);
  };
}

function next(parser: Parser): string {
  const token = parser.tokens[parser.at];
  if (token === undefined) {
    throw new Error('the expression ends too early');
  }
  parser.at += 1;
  return token;
}

function accept(parser: Parser, token: string): boolean {
  const found = parser.tokens[parser.at] === token;
  parser.at += found ? 1 : 0;
  return found;
}

function require(parser: Parser, token: string): void {
  const found = next(parser);
  if (found !== token) {
    throw new Error(`the expression has ${found} where ${token} is needed`);
  }
}
