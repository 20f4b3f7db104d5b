export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** The rule of a composite alarm: whether it holds, by the states of other alarms. */
export interface AlarmRule {
  readonly holds: (stateOf: (alarm: string) => AlarmState) => boolean;
  /** Names or ARNs of the alarms that the rule names. */
  readonly alarms: readonly string[];
}

const stateFunctions: readonly string[] = ['OK', 'ALARM', 'INSUFFICIENT_DATA'] satisfies AlarmState[];

/**
 * Reads the rule of a composite alarm (CloudWatch API reference, PutCompositeAlarm, AlarmRule): `ALARM(name)`,
 * `OK(name)`, `INSUFFICIENT_DATA(name)`, `TRUE`, `FALSE`, `NOT`, `AND`, `OR` and parentheses. Names may be quoted.
 * `AT_LEAST` is not supported. AND binds more tightly than OR, which is what the CDK's parentheses say anyway.
 *
 * @throws {Error} saying what is not understood
 */
export function parseAlarmRule(text: string): AlarmRule {
  const tokens = text.match(/"[^"]*"|[()]|[^\s()"]+/g) ?? [];
  const parser = { tokens, at: 0, alarms: [] as string[] };
  const holds = parseOr(parser);
  if (parser.at < tokens.length) {
    throw new Error(`the rule goes on after its end, with ${tokens[parser.at]}`);
  }
  return { holds, alarms: parser.alarms };
}

interface Parser {
  readonly tokens: readonly string[];
  readonly alarms: string[];
  at: number;
}

type Holds = AlarmRule['holds'];

function parseOr(parser: Parser): Holds {
  const terms = [parseAnd(parser)];
  while (accept(parser, 'OR')) {
    terms.push(parseAnd(parser));
  }
  return (stateOf) => terms.some((holds) => holds(stateOf));
}

function parseAnd(parser: Parser): Holds {
  const terms = [parseNot(parser)];
  while (accept(parser, 'AND')) {
    terms.push(parseNot(parser));
  }
  return (stateOf) => terms.every((holds) => holds(stateOf));
}

function parseNot(parser: Parser): Holds {
  if (accept(parser, 'NOT')) {
    const holds = parseNot(parser);
    return (stateOf) => !holds(stateOf);
  }
  if (accept(parser, '(')) {
    const holds = parseOr(parser);
    require(parser, ')');
    return holds;
  }
  return parseFunction(parser);
}

function parseFunction(parser: Parser): Holds {
  const name = next(parser);
  if (name === 'TRUE' || name === 'FALSE') {
    return () => name === 'TRUE';
  }
  if (!stateFunctions.includes(name)) {
    throw new Error(`the rule has ${name}, which is not supported`);
  }
  require(parser, '(');
  const alarm = next(parser).replace(/^"(.*)"$/, '$1');
  require(parser, ')');
  parser.alarms.push(alarm);
  return (stateOf) => stateOf(alarm) === name;
}

function next(parser: Parser): string {
  const token = parser.tokens[parser.at];
  if (token === undefined) {
    throw new Error('the rule ends too early');
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
    throw new Error(`the rule has ${found} where ${token} is needed`);
  }
}
