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

/** Tokens of an expression that were not read yet. */
type Tokens = string[];

/** Reads the next token. @throws {Error} at the end of the expression */
function next(tokens: Tokens): string {
  const token = tokens.shift();
  if (token === undefined) {
    throw new Error('the expression ends too early');
  }
  return token;
}

/** Reads the next token if it equals this token. @returns true if it was read */
function accept(tokens: Tokens, token: string): boolean {
  return tokens[0] === token && next(tokens) === token;
}

/** @throws {Error} when the next token is another token */
function requireToken(tokens: Tokens, token: string): void {
  const found = next(tokens);
  if (found !== token) {
    throw new Error(`the expression contains ${found} instead of ${token}`);
  }
}

/** Ids are in lower case, functions in upper case. */
const isId = (token: string) => /^[a-z]\w*$/.test(token);

/**
 * Reads an expression (CloudWatch User Guide, "Using math expressions with CloudWatch metrics"). Supports
 * only numbers, ids of metrics, `*` and `/`, SUM and MAX of a list such as `SUM([m1, m2])`, and `FILL(m1,
 * 0)`. An operator needs data on both sides; a function skips values without data.
 *
 * @throws {Error} naming the unsupported part
 */
export function parseExpression(text: string): MathExpression {
  const tokens: Tokens = text.match(/\d+(?:\.\d+)?|\w+|[^\s\w]/g) ?? [];
  const ids = tokens.filter(isId);
  const evaluate = parseProduct(tokens);
  const [rest] = tokens;
  if (rest !== undefined) {
    throw new Error(`the expression continues after its end, with ${rest}`);
  }
  return { evaluate, ids };
}

/** Parses multiplications and divisions, from left to right. */
function parseProduct(tokens: Tokens): Evaluate {
  let left = parseOperand(tokens);
  for (;;) {
    if (accept(tokens, '*')) {
      left = combine(left, parseOperand(tokens), (one, other) => one * other);
    } else if (accept(tokens, '/')) {
      left = combine(left, parseOperand(tokens), (one, other) => one / other);
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

function parseOperand(tokens: Tokens): Evaluate {
  const token = next(tokens);
  if (/^\d/.test(token)) {
    return () => Number(token);
  }
  if (accept(tokens, '(')) {
    return token === 'FILL' ? parseFill(tokens) : parseFunction(tokens, token);
  }
  if (!isId(token)) {
    throw new Error(`the expression contains ${token}, which is not supported`);
  }
  return (lookUp) => lookUp(token);
}

/** FILL assigns a number to a period without data. Its forms `REPEAT` and `LINEAR` are not supported. */
function parseFill(tokens: Tokens): Evaluate {
  const filled = parseProduct(tokens);
  requireToken(tokens, ',');
  const token = next(tokens);
  if (!/^\d/.test(token)) {
    throw new Error(`the expression fills with ${token}, which is not supported`);
  }
  requireToken(tokens, ')');
  return (lookUp) => filled(lookUp) ?? Number(token);
}

function parseFunction(tokens: Tokens, name: string): Evaluate {
  const reduce = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (reduce === undefined) {
    throw new Error(`the expression contains the function ${name}, which is not supported`);
  }
  requireToken(tokens, '[');
  const items = [parseProduct(tokens)];
  while (accept(tokens, ',')) {
    items.push(parseProduct(tokens));
  }
  requireToken(tokens, ']');
  requireToken(tokens, ')');
  return (lookUp) => {
    const values = items.map((item) => item(lookUp)).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : reduce(values);
  };
}
