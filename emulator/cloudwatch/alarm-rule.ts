import { readTokens, type TokenReader } from '../shared/token-reader.ts';

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
  const parser = { ...readTokens(tokens, 'the rule'), alarms: [] as string[] };
  const holds = parseOr(parser);
  const rest = parser.peek();
  if (rest !== undefined) {
    throw new Error(`the rule goes on after its end, with ${rest}`);
  }
  return { holds, alarms: parser.alarms };
}

interface Parser extends TokenReader {
  readonly alarms: string[];
}

type Holds = AlarmRule['holds'];

function parseOr(parser: Parser): Holds {
  const terms = [parseAnd(parser)];
  while (parser.accept('OR')) {
    terms.push(parseAnd(parser));
  }
  return (stateOf) => terms.some((holds) => holds(stateOf));
}

function parseAnd(parser: Parser): Holds {
  const terms = [parseNot(parser)];
  while (parser.accept('AND')) {
    terms.push(parseNot(parser));
  }
  return (stateOf) => terms.every((holds) => holds(stateOf));
}

function parseNot(parser: Parser): Holds {
  if (parser.accept('NOT')) {
    const holds = parseNot(parser);
    return (stateOf) => !holds(stateOf);
  }
  if (parser.accept('(')) {
    const holds = parseOr(parser);
    parser.require(')');
    return holds;
  }
  return parseFunction(parser);
}

function parseFunction(parser: Parser): Holds {
  const name = parser.next();
  if (name === 'TRUE' || name === 'FALSE') {
    return () => name === 'TRUE';
  }
  if (!stateFunctions.includes(name)) {
    throw new Error(`the rule has ${name}, which is not supported`);
  }
  parser.require('(');
  const alarm = parser.next().replace(/^"(.*)"$/, '$1');
  parser.require(')');
  parser.alarms.push(alarm);
  return (stateOf) => stateOf(alarm) === name;
}
