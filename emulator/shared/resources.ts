import { type InferOutput, parse } from 'valibot';
import { type AwsResourceTypeName, resourceSchemas } from '../resource-schemas.ts';
import type { Resource } from './resource-type.ts';

/** A resource with the properties that its type has. */
export interface TypedResource<Name extends AwsResourceTypeName> {
  readonly logicalId: string;
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly properties: InferOutput<(typeof resourceSchemas)[Name]>;
}

/** The resources of one type, in the template's order. */
export function ofType<Name extends AwsResourceTypeName>(
  resources: readonly Resource[],
  type: Name,
): TypedResource<Name>[] {
  return resources
    .filter((resource) => resource.type === type)
    .map(({ logicalId, ref, attributes, properties }) => ({
      logicalId,
      ref,
      attributes,
      properties: parse(resourceSchemas[type], properties) as InferOutput<(typeof resourceSchemas)[Name]>,
    }));
}
