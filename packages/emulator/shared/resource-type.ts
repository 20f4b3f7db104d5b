import * as v from 'valibot';
import { type MakeName, physicalName } from './names.ts';

/**
 * The emulator's definition of one CloudFormation resource type. A type without a definition, and a property
 * that is not in the schema, stop the start with an error that names the resource.
 */
export interface ResourceType<Schema extends v.GenericSchema = v.GenericSchema> {
  /**
   * Type in the template: `AWS::SQS::Queue`. `Custom::*` matches every custom resource without its own
   * definition.
   */
  readonly type: string;
  /**
   * Strict schema of the resolved `Properties`: it uses `strictObject`, which rejects an unknown property.
   */
  readonly properties: Schema;
  /**
   * Returns the value of `Ref`. It is derived from names, because references are resolved before properties
   * are checked.
   */
  readonly ref: MakeName;
  /** Returns the values of `Fn::GetAtt`, by attribute name. */
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

/** A resource with the properties of its type. */
export interface TypedResource<Schema extends v.GenericSchema> extends Resource {
  readonly properties: v.InferOutput<Schema>;
}

/** Returns the resources of one type, in the order of the template. */
export function ofType<Schema extends v.GenericSchema>(
  resources: readonly Resource[],
  { type, properties }: ResourceType<Schema>,
): TypedResource<Schema>[] {
  return resources
    .filter((resource) => resource.type === type)
    .map((resource) => ({ ...resource, properties: v.parse(properties, resource.properties) }));
}

/** Tags are for cost allocation. The emulator ignores them. */
export const tagListSchema = v.optional(v.array(v.strictObject({ Key: v.string(), Value: v.string() })));

/** Policies have a separate grammar: iam/policy.ts checks a policy as strictly as a schema would. */
export const policyDocumentSchema = v.unknown();

export const optionalText = v.optional(v.string());

/** A number of seconds, days, bytes or retries. */
export const countSchema = v.pipe(v.number(), v.minValue(0));
