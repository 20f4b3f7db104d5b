/** A resource of a stack that was deleted, as CloudFormation lists it. */
export interface DeletedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** `DELETE_SKIPPED` means that it was retained. */
  readonly status: string;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface PlanResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The two files that `aws cloudformation create-change-set` takes for an import. */
export interface ImportPlan {
  readonly template: { readonly Resources: Readonly<Record<string, object>> };
  readonly resourcesToImport: readonly {
    readonly ResourceType: string;
    readonly LogicalResourceId: string;
    readonly ResourceIdentifier: Readonly<Record<string, string>>;
  }[];
}

/**
 * By which property CloudFormation knows a resource of each type that is imported ("Resource type support": the primary
 * identifier of the type). For each of them, the physical ID of the stack's resource is the value. Log groups are not
 * imported: the new functions have new ones, and the old lines end after their retention.
 */
const identifiers: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SQS::Queue': 'QueueUrl',
  'AWS::SecretsManager::Secret': 'Id',
};

/** Whether a resource was retained and holds what a new deployment needs. */
export function isToImport({ type, status }: DeletedResource): boolean {
  return status === 'DELETE_SKIPPED' && Object.hasOwn(identifiers, type);
}

/**
 * What imports the retained resources into a new stack. The template has nothing else, because an import can make
 * nothing ("Import AWS resources into a CloudFormation stack"). The next deployment adds the rest.
 *
 * @throws {Error} when the template has no such resource, or one that refers to what is not imported
 */
export function planImport(
  resources: Readonly<Record<string, PlanResource>>,
  deleted: readonly DeletedResource[],
): ImportPlan {
  const imported = deleted.filter(isToImport);
  const known = new Set(imported.map(({ logicalId }) => logicalId));
  return {
    template: {
      Resources: Object.fromEntries(
        imported.map((resource) => [resource.logicalId, definitionOf(resource, resources, known)]),
      ),
    },
    resourcesToImport: imported.map(({ logicalId, type, physicalId }) => ({
      ResourceType: type,
      LogicalResourceId: logicalId,
      ResourceIdentifier: { [identifiers[type] ?? '']: physicalId },
    })),
  };
}

function definitionOf(
  { logicalId, type }: DeletedResource,
  resources: Readonly<Record<string, PlanResource>>,
  known: ReadonlySet<string>,
): object {
  const definition = resources[logicalId];
  if (definition?.Type !== type) {
    throw new Error(
      `This version of the service has no ${type} ${logicalId}. Check out the version that the deleted stack had.`,
    );
  }
  const properties = withoutForeignStatements(definition.Properties ?? {}, known);
  const foreign = references(properties as Json).filter((name) => !known.has(name));
  if (foreign.length > 0) {
    throw new Error(
      `${logicalId} needs ${foreign.join(', ')}, which was not retained. It cannot be imported alone.`,
    );
  }
  // Retain, not RetainExceptOnCreate: nothing that goes wrong in the import or in the next update may delete it.
  return { Type: type, DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain', Properties: properties };
}

/**
 * Leaves out the statements of a key policy that name the roles of the functions: they do not exist yet. An import does
 * not change the policy of the key. The next deployment puts the whole policy.
 */
function withoutForeignStatements(
  properties: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const policy = properties.KeyPolicy as { readonly Statement: readonly Json[] } | undefined;
  if (policy === undefined) {
    return properties;
  }
  const own = policy.Statement.filter((statement) => references(statement).every((name) => known.has(name)));
  return { ...properties, KeyPolicy: { ...policy, Statement: own } };
}

/** Logical IDs that a value refers to. Names of CloudFormation itself, such as AWS::AccountId, are none. */
function references(value: Json): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(references);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref') {
      return String(argument).startsWith('AWS::') ? [] : [String(argument)];
    }
    return key === 'Fn::GetAtt' ? [String((argument as readonly Json[])[0])] : references(argument);
  });
}
