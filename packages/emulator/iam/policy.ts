import { conditionKeys, conditionOperators, valueProblem } from './condition.ts';

/** Who a statement of a resource policy is about. */
export type PrincipalMatcher =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'listed'; readonly aws: readonly string[]; readonly services: readonly string[] };

export interface ConditionTest {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** One statement of an IAM policy, checked: nothing in it is unknown to the evaluator. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  /** Patterns of actions. */
  readonly action: readonly string[];
  /** Patterns of ARNs. Undefined in the trust policy of a role, which is about that role. */
  readonly resource: readonly string[] | undefined;
  /** Undefined in a policy of an identity, which is about that identity. */
  readonly principal: PrincipalMatcher | undefined;
  readonly conditions: readonly ConditionTest[];
}

/** A policy of an identity (a role or a session), of a resource, or about who may assume a role. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

type Json = Readonly<Record<string, unknown>>;

const statementElements = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Principal', 'Condition']);

/**
 * Reads a policy document (IAM User Guide, "Grammar of the IAM JSON policy language").
 *
 * @param where what the policy belongs to, for errors
 * @throws {Error} naming `where`, for anything that the evaluator does not understand, or that AWS would not accept
 */
export function parsePolicy(document: unknown, kind: PolicyKind, where: string): Statement[] {
  const policy = requireObject(document, where, 'the policy');
  const unknown = Object.keys(policy).filter((key) => !['Version', 'Statement', 'Id'].includes(key));
  if (unknown.length > 0) {
    throw new Error(`${where}: unknown policy element ${unknown.join(', ')}`);
  }
  if (policy.Version !== '2012-10-17') {
    throw new Error(`${where}: policy version ${String(policy.Version)} is not supported, only 2012-10-17`);
  }
  const statements = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  return statements.map((item) => {
    const statement = parseStatement(requireObject(item, where, 'a statement'), where);
    checkElements(statement, kind, where);
    return statement;
  });
}

/**
 * A policy without statements can be evaluated, but AWS does not accept it.
 *
 * @throws {Error} naming `where`
 */
export function requireStatements(statements: readonly Statement[], where: string): void {
  if (statements.length === 0) {
    throw new Error(`${where}: a policy needs a statement`);
  }
}

/** Which policies have a Resource and a Principal (IAM User Guide, "IAM JSON policy elements"). */
function checkElements({ principal, resource }: Statement, kind: PolicyKind, where: string): void {
  if (kind === 'identity') {
    if (principal !== undefined) {
      throw new Error(`${where}: a statement about an identity has no Principal`);
    }
    if (resource === undefined) {
      throw new Error(`${where}: a statement needs a Resource`);
    }
    return;
  }
  if (principal === undefined) {
    throw new Error(`${where}: a statement about a resource needs a Principal`);
  }
  if (kind === 'trust' && resource !== undefined) {
    throw new Error(`${where}: a statement of a trust policy has no Resource`);
  }
}

function parseStatement(statement: Json, where: string): Statement {
  const unknown = Object.keys(statement).filter((key) => !statementElements.has(key));
  if (unknown.length > 0) {
    throw new Error(`${where}: unknown policy element ${unknown.join(', ')}`);
  }
  const { Effect: effect } = statement;
  if (effect !== 'Allow' && effect !== 'Deny') {
    throw new Error(`${where}: Effect must be Allow or Deny`);
  }
  const action = parsePatterns(statement.Action, 'Action', where);
  if (action === undefined) {
    throw new Error(`${where}: a statement needs an Action`);
  }
  return {
    effect,
    action,
    resource: parsePatterns(statement.Resource, 'Resource', where),
    principal: parsePrincipal(statement.Principal, where),
    conditions: parseConditions(statement.Condition, where),
  };
}

function parsePatterns(value: unknown, element: string, where: string): readonly string[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  const patterns = requireTexts(value, where);
  if (patterns.length === 0) {
    throw new Error(`${where}: ${element} is empty`);
  }
  return patterns;
}

function parsePrincipal(principal: unknown, where: string): PrincipalMatcher | undefined {
  if (principal === undefined) {
    return undefined;
  }
  if (principal === '*') {
    return { kind: 'everyone' };
  }
  const listed = requireObject(principal, where, 'Principal');
  const unknown = Object.keys(listed).filter((kind) => kind !== 'AWS' && kind !== 'Service');
  if (unknown.length > 0) {
    throw new Error(`${where}: unknown kind of principal ${unknown.join(', ')}`);
  }
  const aws = listed.AWS === undefined ? [] : requireTexts(listed.AWS, where);
  if (aws.includes('*')) {
    return { kind: 'everyone' };
  }
  return {
    kind: 'listed',
    aws,
    services: listed.Service === undefined ? [] : requireTexts(listed.Service, where),
  };
}

function parseConditions(condition: unknown, where: string): ConditionTest[] {
  if (condition === undefined) {
    return [];
  }
  return Object.entries(requireObject(condition, where, 'Condition')).flatMap(([operator, tests]) => {
    if (!conditionOperators.has(operator)) {
      throw new Error(`${where}: unknown condition operator ${operator}`);
    }
    return Object.entries(requireObject(tests, where, operator)).map(([key, values]) => {
      if (!conditionKeys.has(key.toLowerCase())) {
        throw new Error(`${where}: unknown condition key ${key}`);
      }
      return { operator, key, values: requireValues(values, operator, where) };
    });
  });
}

function requireValues(values: unknown, operator: string, where: string): string[] {
  const texts = requireTexts(values, where);
  for (const text of texts) {
    const problem = valueProblem(operator, text);
    if (problem !== undefined) {
      throw new Error(`${where}: the condition operator ${operator} ${problem}`);
    }
  }
  return texts;
}

function requireObject(value: unknown, where: string, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${where}: ${what} must be an object`);
  }
  return value as Json;
}

function requireTexts(value: unknown, where: string): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map((item) => {
    if (typeof item === 'number' || typeof item === 'boolean') {
      return String(item);
    }
    if (typeof item !== 'string') {
      throw new Error(`${where}: a policy value must be text`);
    }
    if (item.includes('${')) {
      throw new Error(`${where}: policy variables are not supported: ${item}`);
    }
    return item;
  });
}
