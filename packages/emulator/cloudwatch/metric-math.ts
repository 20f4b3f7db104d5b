/**
 * A metric math expression. It computes a value for one period from the values of its metrics in that period.
 */
export interface MathExpression {
  /** Returns undefined if there is no data. */
  readonly evaluate: Evaluate;
  /** Ids of the metrics in the expression. */
  readonly ids: readonly string[];
}

type Value = number | undefined;
type Evaluate = (lookUp: (id: string) => Value) => Value;

/** Functions that reduce a list of values to one. Values without data are skipped. */
const functions: Readonly<Record<string, (values: readonly number[]) => number>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  MAX: (values) => Math.max(...values),
};

/** Reads the tokens of an expression one after another, and collects the ids. */
interface Parser {
  readonly ids: string[];
  /** Returns the next token; undefined at the end. */
  readonly peek: () => string | undefined;
  /** @throws {Error} at the end of the expression */
  readonly next: () => string;
  /** Consumes the next token if it equals this token. @returns true if it was consumed */
  readonly accept: (token: string) => boolean;
  /** @throws {Error} when the next token is another token */
  readonly require: (token: string) => void;
}

function createParser(tokens: string[]): Parser {
  const next = () => {
    const token = tokens.shift();
    if (token === undefined) {
      throw new Error('the expression ends too early');
    }
    return token;
  };
  return {
    ids: [],
    peek: () => tokens[0],
    next,
    accept: (token) => tokens[0] === token && next() === token,
    require: (token) => {
      const found = next();
      if (found !== token) {
        throw new Error(`the expression contains ${found} instead of ${token}`);
      }
    },
  };
}

/**
 * Reads an expression (CloudWatch User Guide, "Using math expressions with CloudWatch metrics"). Supports
 * only numbers, ids of metrics, `*` and `/`, SUM and MAX of a list such as `SUM([m1, m2])`, and `FILL(m1,
 * 0)`. An operator needs data on both sides; a function skips values without data.
 *
 * @throws {Error} naming the unsupported part
 */
export function parseExpression(text: string): MathExpression {
  const parser = createParser(text.match(/\d+(?:\.\d+)?|\w+|[^\s\w]/g) ?? []);
  const evaluate = parseProduct(parser);
  const rest = parser.peek();
  if (rest !== undefined) {
    throw new Error(`the expression continues after its end, with ${rest}`);
  }
  return { evaluate, ids: parser.ids };
}

/** Parses multiplications and divisions, from left to right. */
function parseProduct(parser: Parser): Evaluate {
  let left = parseOperand(parser);
  for (;;) {
    if (parser.accept('*')) {
      left = combine(left, parseOperand(parser), (one, other) => one * other);
    } else if (parser.accept('/')) {
      left = combine(left, parseOperand(parser), (one, other) => one / other);
    } else {
      return left;
    }
  }
}

/** Applies an operator. A division by zero returns no data. */
function combine(left: Evaluate, right: Evaluate, operate: (one: number, other: number) => number): Evaluate {
  return (lookUp) => {
    const [one, other] = [left(lookUp), right(lookUp)];
    const value = one === undefined || other === undefined ? undefined : operate(one, other);
    return Number.isFinite(value) ? value : undefined;
  };
}

function parseOperand(parser: Parser): Evaluate {
  const token = parser.next();
  if (/^\d/.test(token)) {
    return () => Number(token);
  }
  if (parser.accept('(')) {
    return token === 'FILL' ? parseFill(parser) : parseFunction(parser, token);
  }
  if (!/^[a-z]\w*$/.test(token)) {
    throw new Error(`the expression contains ${token}, which is not supported`);
  }
  parser.ids.push(token);
  return (lookUp) => lookUp(token);
}

/** FILL assigns a number to a period without data. Its forms `REPEAT` and `LINEAR` are not supported. */
function parseFill(parser: Parser): Evaluate {
  const filled = parseProduct(parser);
  parser.require(',');
  const token = parser.next();
  if (!/^\d/.test(token)) {
    throw new Error(`the expression fills with ${token}, which is not supported`);
  }
  parser.require(')');
  return (lookUp) => filled(lookUp) ?? Number(token);
}

function parseFunction(parser: Parser, name: string): Evaluate {
  const reduce = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (reduce === undefined) {
    throw new Error(`the expression contains the function ${name}, which is not supported`);
  }
  parser.require('[');
  const items = [parseProduct(parser)];
  while (parser.accept(',')) {
    items.push(parseProduct(parser));
  }
  parser.require(']');
  parser.require(')');
  return (lookUp) => {
    const values = items.map((item) => item(lookUp)).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : reduce(values);
  };
}
