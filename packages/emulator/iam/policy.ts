import * as v from 'valibot';
import { optionalText } from '../shared/resource-type.ts';
import { type ConditionTest, conditionKeys, conditionOperators } from './condition.ts';

/** A policy of an identity (a role or a session), of a resource, or about who may assume a role. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

/** Accepts one value or a list of values. */
const toList = v.pipe(
  v.unknown(),
  v.transform((value): unknown[] => (Array.isArray(value) ? value : [value])),
);

const textSchema = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.check((text) => !text.includes('${'), 'policy variables are not supported'),
);
const textsSchema = v.pipe(toList, v.array(textSchema));
const patternsSchema = v.pipe(textsSchema, v.minLength(1, 'is empty'));

/** Principals of a resource policy's statement; `*` is everyone. */
const principalSchema = v.pipe(
  v.unknown(),
  v.transform((value) => (value === '*' ? { AWS: '*' } : value)),
  v.strictObject({ AWS: v.optional(textsSchema, []), Service: v.optional(textsSchema, []) }),
);

export type PrincipalMatcher = v.InferOutput<typeof principalSchema>;

const conditionsSchema = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.check((it) => conditionOperators.has(it), 'unknown condition operator'),
    ),
    v.record(
      v.pipe(
        v.string(),
        v.check((it) => conditionKeys.has(it.toLowerCase()), 'unknown condition key'),
      ),
      textsSchema,
    ),
  ),
  v.transform((operators): readonly ConditionTest[] =>
    Object.entries(operators).flatMap(([operator, tests]) =>
      Object.entries(tests).map(([key, values]) => ({ operator, key, values })),
    ),
  ),
);

const statementSchema = v.strictObject({
  Sid: optionalText,
  Effect: v.picklist(['Allow', 'Deny']),
  Action: patternsSchema,
  /** Patterns of ARNs. Absent in the trust policy of a role, which applies to that role. */
  Resource: v.optional(patternsSchema),
  /** Absent in an identity policy, which applies to that identity. */
  Principal: v.optional(principalSchema),
  Condition: v.optional(conditionsSchema, {}),
});

/** A checked statement of an IAM policy: the evaluator supports all its members. */
export type Statement = Readonly<v.InferOutput<typeof statementSchema>>;

/** IAM User Guide, "Grammar of the IAM JSON policy language". */
const policySchema = v.strictObject({
  Version: v.literal('2012-10-17'),
  Id: optionalText,
  Statement: v.pipe(toList, v.array(statementSchema)),
});

/**
 * Reads a policy document.
 *
 * @param where owner of the policy, for error messages
 * @throws {Error} naming `where`, for anything that the evaluator does not support or that AWS rejects
 */
export function parsePolicy(document: unknown, kind: PolicyKind, where: string): readonly Statement[] {
  const parsed = v.safeParse(policySchema, document);
  if (!parsed.success) {
    const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the policy'}: ${issue.message}`);
    throw new Error(`${where}: ${problems.join('; ')}`);
  }
  for (const statement of parsed.output.Statement) {
    checkElements(statement, kind, where);
  }
  return parsed.output.Statement;
}

/**
 * Rejects a policy without statements. It can be evaluated, but AWS rejects it.
 *
 * @throws {Error} naming `where`
 */
export function requireStatements(statements: readonly Statement[], where: string): void {
  if (statements.length === 0) {
    throw new Error(`${where}: a policy needs a statement`);
  }
}

/**
 * Checks that a statement contains a Resource and a Principal if, and only if, its kind of policy requires
 * them (IAM User Guide, "IAM JSON policy elements").
 */
function checkElements(
  { Principal: principal, Resource: resource }: Statement,
  kind: PolicyKind,
  where: string,
): void {
  if ((kind === 'identity') !== (principal === undefined)) {
    throw new Error(
      `${where}: a statement must have a Principal in the policy of a resource, and must not in the policy of a role or session`,
    );
  }
  if ((kind === 'identity' && resource === undefined) || (kind === 'trust' && resource !== undefined)) {
    throw new Error(
      `${where}: a statement must have a Resource, except in the trust policy of a role, where it must not`,
    );
  }
}
