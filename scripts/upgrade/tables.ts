import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Finding } from './finding.ts';
import { shown } from './replacements.ts';
import type { Resource } from './template.ts';

const indexSchema = v.looseObject({ IndexName: v.string(), KeySchema: v.unknown(), Projection: v.unknown() });

const tableSchema = v.object({
  AttributeDefinitions: v.optional(
    v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
    [],
  ),
  GlobalSecondaryIndexes: v.optional(v.array(indexSchema), []),
  LocalSecondaryIndexes: v.optional(v.array(v.unknown()), []),
});

type Table = v.InferOutput<typeof tableSchema>;
type Index = v.InferOutput<typeof indexSchema>;

/** What DynamoDB's own rules say to a change of a table, beside the resource schemas. */
export function tableFindings(id: string, before: Resource, now: Resource): readonly Finding[] {
  if (before.Type !== 'AWS::DynamoDB::Table' || now.Type !== before.Type) {
    return [];
  }
  const old = v.parse(tableSchema, before.Properties);
  const current = v.parse(tableSchema, now.Properties);
  return [
    ...attributeTypes(id, old, current),
    ...localIndexes(id, old, current),
    ...globalIndexes(id, old, current),
  ];
}

/** "Replacement if you edit an existing AttributeDefinition" (AWS::DynamoDB::Table, AttributeDefinitions). */
function attributeTypes(id: string, old: Table, current: Table): readonly Finding[] {
  return old.AttributeDefinitions.flatMap(({ AttributeName, AttributeType }) => {
    const now = current.AttributeDefinitions.find((other) => other.AttributeName === AttributeName);
    return now === undefined || now.AttributeType === AttributeType
      ? []
      : [
          {
            kind: 'resource replaced' as const,
            subject: id,
            what: `The type of the key attribute ${AttributeName} changes from ${AttributeType} to ${now.AttributeType}.`,
            why: 'CloudFormation makes a new, empty table when the type of a key attribute changes.',
            next: 'Keep the type. Put the new form into an attribute with another name.',
          },
        ];
  });
}

/** Local secondary indexes are made with the table and cannot be changed later (CreateTable). */
function localIndexes(id: string, old: Table, current: Table): readonly Finding[] {
  return isDeepStrictEqual(old.LocalSecondaryIndexes, current.LocalSecondaryIndexes)
    ? []
    : [
        {
          kind: 'resource replaced',
          subject: id,
          what: 'Its local secondary indexes change.',
          why: 'They can be made with a table only, so that CloudFormation needs a new, empty table.',
          next: 'Add a global secondary index.',
        },
      ];
}

function globalIndexes(id: string, old: Table, current: Table): readonly Finding[] {
  const nameOf = ({ IndexName }: Index) => IndexName;
  const currentNames = current.GlobalSecondaryIndexes.map(nameOf);
  const oldNames = old.GlobalSecondaryIndexes.map(nameOf);
  const removed = oldNames.filter((name) => !currentNames.includes(name));
  const added = currentNames.filter((name) => !oldNames.includes(name));
  const changed = old.GlobalSecondaryIndexes.flatMap((index) => changeOf(id, index, current));
  const changes = [...removed, ...added, ...changed.map(({ name }) => name)];
  return [
    ...removed.map((name) => removedIndex(id, name)),
    ...changed.map(({ finding }) => finding),
    ...(changes.length > 1 ? [tooManyIndexes(id, changes)] : []),
  ];
}

function removedIndex(id: string, name: string): Finding {
  return {
    kind: 'index lost',
    subject: id,
    what: `The index ${name} is removed.`,
    why: 'Functions and commands of the old version query it until the last of them is updated, and a return to the old version would lack it.',
    next: 'Keep the index in this release. Remove it in a later one, when no version in use queries it.',
  };
}

function changeOf(id: string, index: Index, current: Table): readonly { name: string; finding: Finding }[] {
  const name = index.IndexName;
  const now = current.GlobalSecondaryIndexes.find((other) => other.IndexName === name);
  const changed = (['KeySchema', 'Projection'] as const).filter(
    (property) => now !== undefined && !isDeepStrictEqual(index[property], now[property]),
  );
  if (now === undefined || changed.length === 0) {
    return [];
  }
  const changes = changed.map(
    (property) => `${property} changes from ${shown(index[property])} to ${shown(now[property])}`,
  );
  const finding: Finding = {
    kind: 'index lost',
    subject: id,
    what: `The index ${name} changes: ${changes.join('; ')}.`,
    why: 'An index cannot be changed. CloudFormation would have to remove it and make another, in one update, and DynamoDB refuses that.',
    next: 'Leave the index. Add one with another name, use it, and remove the old one in a later release.',
  };
  return [{ name, finding }];
}

/** "You can create or delete only one global secondary index per UpdateTable operation" (UpdateTable). */
function tooManyIndexes(id: string, names: readonly string[]): Finding {
  return {
    kind: 'index update refused',
    subject: id,
    what: `${names.length} indexes are added, removed or changed in one update: ${names.join(', ')}.`,
    why: 'DynamoDB makes or removes one index of a table in one update, so the deployment fails halfway.',
    next: 'Change one index in each release.',
  };
}
