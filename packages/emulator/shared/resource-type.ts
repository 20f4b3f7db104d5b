import * as v from 'valibot';
import { type MakeName, physicalName } from './names.ts';

/**
 * How the emulator understands one CloudFormation resource type. A type without such an entry, and a property that
 * the schema does not list, stop the start with an error that names the resource.
 */
export interface ResourceType<Schema extends v.GenericSchema = v.GenericSchema> {
  /** As in the template: `AWS::SQS::Queue`. `Custom::*` means every custom resource without an entry of its own. */
  readonly type: string;
  /** Strict schema of the resolved `Properties`: made of `strictObject`, so that an unknown property is an error. */
  readonly properties: Schema;
  /** Value of `Ref`. It is made of names, because references are resolved before properties are checked. */
  readonly ref: MakeName;
  /** Values of `Fn::GetAtt`, by attribute name. */
  readonly attributes: Readonly<Record<string, MakeName>>;
}

type ResourceNames = Pick<ResourceType, 'ref' | 'attributes'>;

export type ResourceTypes = Readonly<Record<string, ResourceType>>;

/** Defines a resource type. By default `Ref` is the physical name, and there are no attributes. */
export function defineResourceType<Schema extends v.GenericSchema>(
  type: string,
  properties: Schema,
  { ref = physicalName, attributes = {} }: Partial<ResourceNames> = {},
): ResourceType<Schema> {
  return { type, properties, ref, attributes };
}

/** A resource of the template with every intrinsic function resolved. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** Value of `Ref`. */
  readonly ref: string;
  /** Values of `Fn::GetAtt`, by attribute name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Resolved, and checked against the schema of the type. */
  readonly properties: unknown;
}

/** A resource with the properties that its type has. */
export interface TypedResource<Schema extends v.GenericSchema> extends Resource {
  readonly properties: v.InferOutput<Schema>;
}

/** The resources of one type, in the order of the template. */
export function ofType<Schema extends v.GenericSchema>(
  resources: readonly Resource[],
  { type, properties }: ResourceType<Schema>,
): TypedResource<Schema>[] {
  return resources
    .filter((resource) => resource.type === type)
    .map((resource) => ({ ...resource, properties: v.parse(properties, resource.properties) }));
}

/** Tags show who pays. Nothing in the emulator acts on them. */
export const tagListSchema = v.optional(v.array(v.strictObject({ Key: v.string(), Value: v.string() })));

/** Policies have a grammar of their own: iam/policy.ts reads a policy as strictly as a schema would. */
export const policyDocumentSchema = v.unknown();

export const optionalText = v.optional(v.string());

/** A number of seconds, days, bytes or retries. */
export const countSchema = v.pipe(v.number(), v.minValue(0));
