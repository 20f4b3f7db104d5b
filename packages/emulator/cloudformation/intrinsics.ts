import { isJsonArray, isJsonObject, type Json } from '../shared/json.ts';

/** Names that a template's expressions may refer to. Both functions throw for an unknown name. */
export interface Scope {
  /** Value of `Ref`. */
  readonly ref: (name: string) => string;
  readonly attribute: (logicalId: string, name: string) => string;
}

type Evaluate = (argument: Json, scope: Scope) => string;

/**
 * Resolves the intrinsic functions in a value (CloudFormation, "Intrinsic function reference"). Supports the
 * functions that the CDK writes for an app without conditions and parameters.
 *
 * @throws {Error} naming the unsupported function or the unknown name
 */
export function resolve(value: Json, scope: Scope): Json {
  if (isJsonArray(value)) {
    return value.map((item) => resolve(item, scope));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const name = Object.keys(value).find((key) => key === 'Ref' || key.startsWith('Fn::'));
  if (name === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member, scope)]));
  }
  if (Object.keys(value).length > 1) {
    throw new Error(`${name} must be the only key of its object`);
  }
  const evaluate = intrinsics[name];
  if (!evaluate) {
    throw new Error(`the intrinsic function ${name} is not supported`);
  }
  return evaluate(value[name] ?? null, scope);
}

const intrinsics: Readonly<Record<string, Evaluate>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref requires a name')),
  'Fn::GetAtt': getAttribute,
  'Fn::Join': join,
  'Fn::Sub': substitute,
};

function getAttribute(argument: Json, scope: Scope): string {
  const expected = 'Fn::GetAtt requires a logical ID and an attribute name';
  const [logicalId, name] =
    typeof argument === 'string' ? argument.split(/\.(.*)/s) : list(argument, expected);
  return scope.attribute(text(logicalId, expected), text(name, expected));
}

function join(argument: Json, scope: Scope): string {
  const expected = 'Fn::Join requires a delimiter and a list of texts';
  const [delimiter, values] = list(argument, expected);
  const parts = list(resolve(values ?? null, scope), expected).map((value) => scalar(value, expected));
  return parts.join(text(delimiter, expected));
}

function substitute(argument: Json, scope: Scope): string {
  return text(argument, 'Fn::Sub requires a text').replace(/\$\{([^}]*)\}/g, (_, name: string) =>
    name.includes('.') ? getAttribute(name, scope) : scope.ref(name),
  );
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

function scalar(value: Json, message: string): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(value, message);
}
