import type { Resource } from 'cloud-assembly-emulator';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Principal?: unknown;
}

interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

/** Something that a policy of the stack allows, and the stack without it. */
export interface Grant {
  /** For people. */
  readonly name: string;
  readonly actions: readonly string[];
  /** Physical names of the roles whose policy it stands in; empty for policies of resources. */
  readonly roles: readonly string[];
  /** Every resource of the stack, one statement (or one action of a statement) short. */
  readonly without: readonly Resource[];
}

/** Where each type keeps its policy. `test/lib/` holds the policies that need a setting: of the bucket, and of the topic. */
const documents: Readonly<Record<string, string>> = {
  'AWS::IAM::Policy': 'PolicyDocument',
  'AWS::IAM::Role': 'AssumeRolePolicyDocument',
  'AWS::KMS::Key': 'KeyPolicy',
  'AWS::SQS::QueuePolicy': 'PolicyDocument',
};

/**
 * Every statement that allows something, once for each of its actions, and every permission to invoke a function. What
 * the key's administrators may do is one: the service makes none of those calls.
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

/** One by one; administration of a key together. None of a denial, which `test/lib/` holds. */
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

function listed<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? value : [value as Value];
}
