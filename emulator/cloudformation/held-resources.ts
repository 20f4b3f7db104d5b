import { randomUUID } from 'node:crypto';
import { creationOrder, dependenciesOf } from './dependencies.ts';
import { isMadeByFunction } from './resource-types.ts';
import type { Template, TemplateResource } from './template.ts';

/** A resource that exists in a simulated account. */
export interface HeldResource {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** Whether the stack still has it. A retained resource stays behind alone. */
  readonly inStack: boolean;
  /** Whether its service refuses to delete it. */
  readonly isProtected: boolean;
  /** KMS deletes no key before its waiting period has ended (API reference, ScheduleKeyDeletion). */
  readonly pendingDeletion: boolean;
}

export interface RemovalOptions {
  /** Whether this ends the operation that made the resources. */
  readonly creating: boolean;
  readonly functionsAnswer: boolean;
}

export interface ResourceStore {
  readonly all: () => readonly HeldResource[];
  /** @throws {Error} when the template fixes a name that is taken */
  readonly add: (logicalId: string, template: Template) => void;
  readonly protect: (logicalId: string) => void;
  /** Removes what the stack has, in the opposite order of creation. Returns whether nothing of it failed. */
  readonly removeAll: (template: Template, options: RemovalOptions) => boolean;
}

/** The property with which a template fixes the name of a resource, for the types that have one. */
export const nameProperties: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::CompositeAlarm': 'AlarmName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::EventSchemas::Registry': 'RegistryName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SQS::Queue': 'QueueName',
};

export function createResourceStore(): ResourceStore {
  let held: readonly HeldResource[] = [];
  const change = (resource: HeldResource, changes: Partial<HeldResource>) => {
    held = held.map((other) => (other === resource ? { ...other, ...changes } : other));
  };
  return {
    all: () => held,
    add: (logicalId, template) => {
      const added = hold(logicalId, template);
      if (held.some(({ type, physicalId }) => type === added.type && physicalId === added.physicalId)) {
        throw new Error(`${logicalId}: ${added.physicalId} already exists`);
      }
      held = [...held, added];
    },
    protect: (logicalId) => {
      for (const resource of held.filter((it) => it.inStack && it.logicalId === logicalId)) {
        change(resource, { isProtected: true });
      }
    },
    removeAll: (template, options) => {
      const stuck = new Set<string>();
      for (const logicalId of creationOrder(template.Resources).toReversed()) {
        const resource = held.find((it) => it.inStack && it.logicalId === logicalId);
        const definition = template.Resources[logicalId];
        if (resource === undefined || definition === undefined) {
          continue;
        }
        if (isRetained(definition, options)) {
          change(resource, { inStack: false });
        } else if (stuck.has(logicalId) || !canBeDeleted(resource, options)) {
          // What a resource that is still there needs is not deleted either.
          for (const needed of [logicalId, ...dependenciesOf(definition)]) {
            stuck.add(needed);
          }
        } else if (resource.type === 'AWS::KMS::Key') {
          change(resource, { inStack: false, pendingDeletion: true });
        } else {
          held = held.filter((other) => other !== resource);
        }
      }
      return stuck.size === 0;
    },
  };
}

function hold(logicalId: string, template: Template): HeldResource {
  const { Type, Properties = {} } = template.Resources[logicalId] ?? { Type: '' };
  const name = Properties[nameProperties[Type] ?? ''];
  return {
    logicalId,
    type: Type,
    physicalId: name === undefined ? `${logicalId}-${randomUUID()}` : JSON.stringify(name),
    inStack: true,
    isProtected: Properties.DeletionProtectionEnabled === true,
    pendingDeletion: false,
  };
}

/** CloudFormation, "DeletionPolicy attribute". */
function isRetained({ DeletionPolicy = 'Delete' }: TemplateResource, { creating }: RemovalOptions): boolean {
  return DeletionPolicy === 'Retain' || (DeletionPolicy === 'RetainExceptOnCreate' && !creating);
}

function canBeDeleted({ isProtected, type }: HeldResource, { functionsAnswer }: RemovalOptions): boolean {
  return !isProtected && (functionsAnswer || !isMadeByFunction(type));
}
