import type { Resource } from 'cloud-assembly-emulator';
import { listed } from '../../support/synthesized.ts';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Principal?: unknown;
}

interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

/** A permission in a policy of the stack, and the stack without it. */
export interface Grant {
  /** Display name. */
  readonly name: string;
  readonly actions: readonly string[];
  /** Physical names of the roles with this policy; empty for policies of resources. */
  readonly roles: readonly string[];
  /** All resources of the stack, without this statement (or without one action of it). */
  readonly without: readonly Resource[];
}

/**
 * Property with the policy of each type. `test/lib/` covers the policies that require a setting: of the
 * bucket, and of the topic.
 */
const documents: Readonly<Record<string, string>> = {
  'AWS::IAM::Policy': 'PolicyDocument',
  'AWS::IAM::Role': 'AssumeRolePolicyDocument',
  'AWS::KMS::Key': 'KeyPolicy',
  'AWS::SQS::QueuePolicy': 'PolicyDocument',
};

/**
 * Returns every statement that allows an action, once for each of its actions, and every permission to invoke
 * a function. The actions of the key's administrators are one grant: the service makes none of those calls.
 */
export function grantsOf(resources: readonly Resource[]): Grant[] {
  return resources.flatMap((resource) => {
    if (resource.type === 'AWS::Lambda::Permission') {
      const name = `${resource.logicalId} allow lambda:InvokeFunction`;
      const without = resources.filter((other) => other !== resource);
      return [{ name, actions: ['lambda:InvokeFunction'], roles: [], without }];
    }
    const property = documents[resource.type];
    return property === undefined ? [] : policyGrants(resource, property, resources);
  });
}

function policyGrants(resource: Resource, property: string, resources: readonly Resource[]): Grant[] {
  const statements = statementsOf(resource, property);
  return statements.flatMap((statement, index) =>
    removableActions(statement).map((actions) => {
      const left = listed(statement.Action).filter((action) => !actions.includes(action));
      const replacement = left.length === 0 ? [] : [{ ...statement, Action: left }];
      const changed = statements.toSpliced(index, 1, ...replacement);
      return {
        name: `${resource.logicalId}[${index}] allow ${actions[0]}`,
        actions,
        roles: rolesOf(resource),
        without: resources.map((other) =>
          other === resource ? withStatements(resource, property, changed) : other,
        ),
      };
    }),
  );
}

/**
 * Returns the actions that can be removed one by one; the administration of a key is removed as a whole.
 * Denials are excluded: `test/lib/` covers them.
 */
function removableActions({ Effect, Action }: Statement): readonly (readonly string[])[] {
  const actions = Effect === 'Deny' ? [] : listed(Action);
  return actions.includes('kms:PutKeyPolicy') ? [actions] : actions.map((action) => [action]);
}

function statementsOf({ properties }: Resource, property: string): readonly Statement[] {
  const document = (properties as Readonly<Record<string, PolicyDocument>>)[property];
  return document === undefined ? [] : listed(document.Statement);
}

function withStatements(resource: Resource, property: string, statements: readonly Statement[]): Resource {
  const properties = resource.properties as Readonly<Record<string, PolicyDocument>>;
  const document = { ...properties[property], Statement: statements };
  return { ...resource, properties: { ...properties, [property]: document } };
}

function rolesOf({ type, properties }: Resource): readonly string[] {
  return type === 'AWS::IAM::Policy' ? (properties as { readonly Roles: readonly string[] }).Roles : [];
}
