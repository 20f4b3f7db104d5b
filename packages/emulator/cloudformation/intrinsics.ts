import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../shared/json.ts';

/** What a template's expressions may refer to. Lookups throw when the name is unknown. */
export interface Scope {
  /** Value of `Ref`; undefined means AWS::NoValue. */
  readonly ref: (name: string) => string | undefined;
  readonly attribute: (logicalId: string, name: string) => string;
  readonly condition: (name: string) => boolean;
}

type Evaluate = (argument: Json, scope: Scope) => Json | undefined;

/**
 * Resolves every intrinsic function in a value (CloudFormation, "Intrinsic function reference"). Properties with the
 * value AWS::NoValue are left out. The result is undefined when the whole value is AWS::NoValue.
 *
 * @throws {Error} naming the function or the name that is not understood
 */
export function resolve(value: Json, scope: Scope): Json | undefined {
  if (isJsonArray(value)) {
    return value.flatMap((item) => asList(resolve(item, scope)));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const call = intrinsicCall(value);
  return call ? call.evaluate(call.argument, scope) : resolveMembers(value, scope);
}

/** Evaluates an entry of the template's `Conditions`, or an operand of `Fn::And`, `Fn::Or` or `Fn::Not`. */
export function evaluateCondition(value: Json, scope: Scope): boolean {
  if (isJsonObject(value) && typeof value.Condition === 'string' && Object.keys(value).length === 1) {
    return scope.condition(value.Condition);
  }
  const result = resolve(value, scope);
  if (typeof result !== 'boolean') {
    throw new Error('a condition must be true or false');
  }
  return result;
}

function asList(value: Json | undefined): Json[] {
  return value === undefined ? [] : [value];
}

function resolveMembers(value: JsonObject, scope: Scope): JsonObject {
  const members = Object.entries(value).flatMap(([key, member]) => {
    const resolved = resolve(member, scope);
    return resolved === undefined ? [] : [[key, resolved] as const];
  });
  return Object.fromEntries(members);
}

function intrinsicCall(value: JsonObject): { evaluate: Evaluate; argument: Json } | undefined {
  const names = Object.keys(value).filter((key) => key === 'Ref' || key.startsWith('Fn::'));
  const [name] = names;
  if (name === undefined) {
    return undefined;
  }
  if (Object.keys(value).length > 1) {
    throw new Error(`${name} must be the only key of its object`);
  }
  const evaluate = intrinsics[name];
  if (!evaluate) {
    throw new Error(`the intrinsic function ${name} is not supported`);
  }
  return { evaluate, argument: value[name] ?? null };
}

const intrinsics: Readonly<Record<string, Evaluate>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref takes a name')),
  'Fn::GetAtt': getAttribute,
  'Fn::Join': join,
  'Fn::Sub': substitute,
  'Fn::Select': select,
  'Fn::Split': split,
  'Fn::If': choose,
  'Fn::Equals': (argument, scope) => {
    const [left, right] = resolvedPair(argument, scope, 'Fn::Equals takes two values');
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument, scope) =>
    conditions(argument, 'Fn::And').every((one) => evaluateCondition(one, scope)),
  'Fn::Or': (argument, scope) => conditions(argument, 'Fn::Or').some((one) => evaluateCondition(one, scope)),
  'Fn::Not': (argument, scope) =>
    !conditions(argument, 'Fn::Not').every((one) => evaluateCondition(one, scope)),
};

function getAttribute(argument: Json, scope: Scope): Json {
  const parts =
    typeof argument === 'string' ? argument.split(/\.(.*)/s) : list(argument, 'Fn::GetAtt takes a list');
  const [logicalId, name] = parts;
  const expected = 'Fn::GetAtt takes a logical ID and an attribute name';
  return scope.attribute(text(logicalId, expected), text(name, expected));
}

function join(argument: Json, scope: Scope): Json {
  const [delimiter, values] = resolvedPair(argument, scope, 'Fn::Join takes a delimiter and a list');
  const parts = list(values, 'Fn::Join takes a list of texts').map((value) =>
    scalar(value, 'Fn::Join joins texts'),
  );
  return parts.join(text(delimiter, 'Fn::Join takes a delimiter'));
}

function substitute(argument: Json, scope: Scope): Json {
  const noVariables: JsonObject = {};
  const [template, variables] = isJsonArray(argument) ? argument : [argument, noVariables];
  if (!isJsonObject(variables)) {
    throw new Error('Fn::Sub takes a text and a map');
  }
  return text(template, 'Fn::Sub takes a text').replace(
    /\$\{(!?)([^}]*)\}/g,
    (_, literal: string, name: string) => {
      if (literal) {
        return `\${${name}}`;
      }
      const own = variables[name];
      if (own !== undefined) {
        return scalar(resolve(own, scope), `Fn::Sub needs a text for ${name}`);
      }
      if (name.includes('.')) {
        return text(getAttribute(name, scope), `Fn::Sub needs a text for ${name}`);
      }
      return text(scope.ref(name), `Fn::Sub needs a text for ${name}`);
    },
  );
}

function select(argument: Json, scope: Scope): Json {
  const [index, values] = resolvedPair(argument, scope, 'Fn::Select takes an index and a list');
  const selected = list(values, 'Fn::Select takes a list')[Number(index)];
  if (selected === undefined) {
    throw new Error(`Fn::Select has no value at index ${String(index)}`);
  }
  return selected;
}

function split(argument: Json, scope: Scope): Json {
  const [delimiter, value] = resolvedPair(argument, scope, 'Fn::Split takes a delimiter and a text');
  return text(value, 'Fn::Split takes a text').split(text(delimiter, 'Fn::Split takes a delimiter'));
}

function choose(argument: Json, scope: Scope): Json | undefined {
  const [name, whenTrue, whenFalse] = list(argument, 'Fn::If takes a condition and two values');
  if (whenTrue === undefined || whenFalse === undefined) {
    throw new Error('Fn::If takes a condition and two values');
  }
  return resolve(scope.condition(text(name, 'Fn::If takes a condition name')) ? whenTrue : whenFalse, scope);
}

function conditions(argument: Json, name: string): readonly Json[] {
  return list(argument, `${name} takes a list of conditions`);
}

function resolvedPair(argument: Json, scope: Scope, message: string): [Json | undefined, Json | undefined] {
  const [first, second] = list(argument, message);
  if (first === undefined || second === undefined) {
    throw new Error(message);
  }
  return [resolve(first, scope), resolve(second, scope)];
}

function list(value: Json | undefined, message: string): readonly Json[] {
  if (value === undefined || !isJsonArray(value)) {
    throw new Error(message);
  }
  return value;
}

function text(value: Json | undefined, message: string): string {
  if (typeof value !== 'string') {
    throw new Error(message);
  }
  return value;
}

function scalar(value: Json | undefined, message: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return text(value, message);
}
