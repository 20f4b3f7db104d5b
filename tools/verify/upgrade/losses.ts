import { isDeepStrictEqual } from 'node:util';
import { fullDiff, type ResourceDifference, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import * as v from 'valibot';

/** A version of a stack: the deployed version, or the version to deploy. */
export interface StackVersion {
  readonly template: Template;
  readonly terminationProtection: boolean;
}

export type Template = Readonly<Record<string, unknown>>;

/** A reason not to deploy. */
interface Loss {
  /** Logical ID, or name of the stack. */
  readonly subject: string;
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

/** Content of each type of resource, which a replacement would lose. */
const contents: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'its items',
  'AWS::S3::Bucket': 'its objects and their versions',
  'AWS::SecretsManager::Secret': 'its value and the earlier ones',
  'AWS::KMS::Key': 'the key, without which the encrypted data cannot be read',
  'AWS::SQS::Queue': 'its waiting messages',
  'AWS::Events::EventBus': 'the rules of its consumers',
  'AWS::ApiGatewayV2::Api': 'the address that clients call and that tokens name as their issuer',
  'AWS::ApiGatewayV2::DomainName': 'the target of the DNS records of the domain',
};

const policies = ['DeletionPolicy', 'UpdateReplacePolicy'] as const;

/** Properties that protect the content of a resource, with their protecting values. */
const protections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'AWS::DynamoDB::Table': {
    DeletionProtectionEnabled: true,
    'PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled': true,
  },
  'AWS::S3::Bucket': {
    'VersioningConfiguration.Status': 'Enabled',
    'PublicAccessBlockConfiguration.BlockPublicAcls': true,
    'PublicAccessBlockConfiguration.BlockPublicPolicy': true,
    'PublicAccessBlockConfiguration.IgnorePublicAcls': true,
    'PublicAccessBlockConfiguration.RestrictPublicBuckets': true,
  },
};

/** Returns the losses that an update of a deployed stack would cause. Empty if it may be deployed. */
export function lossesOf(name: string, before: StackVersion, after: StackVersion): readonly Loss[] {
  const losses = [...lossOfTerminationProtection(name, before, after)];
  // The comparison modifies its templates, so it gets copies.
  const difference = fullDiff(structuredClone(before.template), structuredClone(after.template));
  difference.resources.forEachDifference((id, change) => {
    losses.push(...lossesOfResource(id, change), ...lossesOfRoute(change, before));
  });
  return losses;
}

/** Action that the function `deletion-protection` uses to protect the stack after each deployment. */
const protectingAction = 'cloudformation:UpdateTerminationProtection';

function lossOfTerminationProtection(
  name: string,
  before: StackVersion,
  after: StackVersion,
): readonly Loss[] {
  const isKept = after.terminationProtection || JSON.stringify(after.template).includes(protectingAction);
  return !before.terminationProtection || isKept
    ? []
    : [
        {
          subject: name,
          what: 'The stack loses its termination protection.',
          why: 'From this update on, one command deletes the stack.',
          next: 'Keep the function deletion-protection, or set terminationProtection.',
        },
      ];
}

/**
 * Returns a loss if a route with a limit in the stage is removed or changes its key. The stage keeps the
 * limit, and rejects every later change (docs/aws-facts.md, `http-api-route-settings`).
 */
function lossesOfRoute(change: ResourceDifference, { template }: StackVersion): readonly Loss[] {
  const key = String(change.oldProperties?.RouteKey);
  // Only the RouteSettings of the stage use a route key as the name of a property.
  const isLimited = JSON.stringify(template).includes(`"${key}":`);
  return !isLimited || change.newProperties?.RouteKey === key
    ? []
    : [
        {
          subject: key,
          what: 'The new version no longer has this route, for which the stage has a limit.',
          why: 'The limit stays in the stage, and API Gateway then rejects every change of the stage: "Unable to find Route by key".',
          next: `First deploy a version with the route but without its limit (rateLimits in lib/api.ts). Then run: aws apigatewayv2 delete-route-settings --api-id ID --stage-name '$default' --route-key '${key}' (the output ApiEndpoint is https://ID.execute-api...). Then deploy this version.`,
        },
      ];
}

function lossesOfResource(id: string, change: ResourceDifference): readonly Loss[] {
  const type = change.oldResourceType ?? '';
  if (!Object.hasOwn(contents, type)) {
    return [];
  }
  if (change.isRemoval) {
    return [removed(id, type, change.changeImpact === ResourceImpact.WILL_ORPHAN)];
  }
  return [
    ...replacements(id, type, change),
    ...(type === 'AWS::DynamoDB::Table' ? lossesOfTable(id, change) : []),
    ...weakerProtections(id, type, change),
  ];
}

function removed(id: string, type: string, isRetained: boolean): Loss {
  return {
    subject: id,
    what: `The new version has no ${type} with this logical ID.`,
    why: `It contains ${contents[type]}. ${isRetained ? 'It stays in the account, but the stack no longer has it.' : 'CloudFormation deletes it.'}`,
    next: 'Keep its logical ID: undo the change of its construct or of the ids around it, or call overrideLogicalId.',
  };
}

function replacements(id: string, type: string, change: ResourceDifference): readonly Loss[] {
  const { changeImpact, propertyUpdates, newResourceType = 'nothing' } = change;
  const replacing: readonly ResourceImpact[] = [ResourceImpact.WILL_REPLACE, ResourceImpact.MAY_REPLACE];
  if (!replacing.includes(changeImpact)) {
    return [];
  }
  const names = Object.entries(propertyUpdates)
    .filter(([, { changeImpact: impact }]) => impact !== undefined && replacing.includes(impact))
    .map(([name]) => name);
  const certain = changeImpact === ResourceImpact.WILL_REPLACE;
  return [
    {
      subject: id,
      what:
        type === newResourceType
          ? `A change of ${names.join(' and ')} ${certain ? 'replaces it' : 'may replace it'}.`
          : `Its type changes from ${type} to ${newResourceType}.`,
      why: `It contains ${contents[type]}. The new one lacks that, and the stack no longer has the old one.`,
      next: 'Keep the property. Create a second resource for the change, beside this one.',
    },
  ];
}

const tableSchema = v.object({
  AttributeDefinitions: v.optional(
    v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
    [],
  ),
  GlobalSecondaryIndexes: v.optional(
    v.array(v.looseObject({ IndexName: v.string(), KeySchema: v.unknown(), Projection: v.unknown() })),
    [],
  ),
});

type Table = v.InferOutput<typeof tableSchema>;

/** Returns losses by DynamoDB's own rules, which are not in the schema of the resource. */
function lossesOfTable(id: string, { oldProperties, newProperties }: ResourceDifference): readonly Loss[] {
  const old = v.parse(tableSchema, oldProperties ?? {});
  const now = v.parse(tableSchema, newProperties ?? {});
  const indexes = changedIndexes(old, now);
  return [
    ...changedAttributes(old, now).map((attribute) => ({
      subject: id,
      what: `The type of the key attribute ${attribute} changes.`,
      why: 'CloudFormation creates a new, empty table when the type of a key attribute changes.',
      next: 'Keep the type. Put the new form into an attribute with another name.',
    })),
    ...(indexes.length < 2
      ? []
      : [
          {
            subject: id,
            what: `Two or more indexes change in one update: ${indexes.join(', ')}.`,
            // UpdateTable: "You can create or delete only one global secondary index per UpdateTable operation".
            why: 'DynamoDB creates or removes one index of a table in one update, so the deployment fails halfway.',
            next: 'Deploy once for each index: a deployment may create or remove one index, not both. An index that must change gets another name.',
          },
        ]),
  ];
}

function changedAttributes(old: Table, now: Table): readonly string[] {
  const types = new Map(
    now.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  return old.AttributeDefinitions.filter(
    ({ AttributeName, AttributeType }) => (types.get(AttributeName) ?? AttributeType) !== AttributeType,
  ).map(({ AttributeName }) => AttributeName);
}

/**
 * Returns the indexes that are created or removed. A changed index with the same name is removed and created
 * again.
 */
function changedIndexes(old: Table, now: Table): readonly string[] {
  const missingIn = (others: Table, verb: string) => (index: Table['GlobalSecondaryIndexes'][number]) => {
    const isSame = others.GlobalSecondaryIndexes.some(
      ({ IndexName, KeySchema, Projection }) =>
        IndexName === index.IndexName &&
        isDeepStrictEqual([KeySchema, Projection], [index.KeySchema, index.Projection]),
    );
    return isSame ? [] : [`${verb} ${index.IndexName}`];
  };
  return [
    ...old.GlobalSecondaryIndexes.flatMap(missingIn(now, 'remove')),
    ...now.GlobalSecondaryIndexes.flatMap(missingIn(old, 'create')),
  ];
}

function weakerProtections(
  id: string,
  type: string,
  { oldValue, newValue, oldProperties, newProperties }: ResourceDifference,
): readonly Loss[] {
  const weaker = [
    ...policies.filter((policy) => retains(oldValue?.[policy]) && !retains(newValue?.[policy])),
    ...Object.entries(protections[type] ?? {})
      .filter(
        ([path, value]) => valueAt(oldProperties, path) === value && valueAt(newProperties, path) !== value,
      )
      .map(([path]) => path),
  ];
  return weaker.map((path) => ({
    subject: id,
    what: `${path} no longer protects it.`,
    why: `It contains ${contents[type]}. From this update on, a mistake loses what was protected before.`,
    next: `Keep ${path}. To delete a deployment, first remove this protection (docs/deployment.md).`,
  }));
}

/**
 * Returns true for a policy that retains an existing resource, for which RetainExceptOnCreate means the same
 * as Retain.
 */
function retains(policy: unknown): boolean {
  return policy === 'Retain' || policy === 'RetainExceptOnCreate';
}

function valueAt(properties: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      properties,
    );
}
