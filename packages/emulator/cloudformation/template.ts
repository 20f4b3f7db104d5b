import * as v from 'valibot';
import type { Json, JsonObject } from '../shared/json.ts';
import { optionalText } from '../shared/resource-type.ts';

const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);
const json = v.custom<Json>(() => true);

const resourceSchema = v.strictObject({
  Type: v.string(),
  Properties: v.optional(jsonObject, {}),
  /** Ignored: no resource waits for another, except that custom resources come last. */
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())])),
  /**
   * CloudFormation's policies for the deletion and replacement of a resource. The emulator never deletes a
   * resource.
   */
  DeletionPolicy: optionalText,
  UpdateReplacePolicy: optionalText,
  Metadata: v.optional(jsonObject),
});

const outputSchema = v.strictObject({
  Value: json,
  Description: optionalText,
  Export: v.optional(jsonObject),
});

/** Template sections that the emulator supports (CloudFormation, "Template sections"). */
export const templateSchema = v.strictObject({
  AWSTemplateFormatVersion: optionalText,
  Description: optionalText,
  Metadata: v.optional(jsonObject),
  Resources: v.record(v.string(), resourceSchema),
  Outputs: v.optional(v.record(v.string(), outputSchema), {}),
});

export type Template = v.InferOutput<typeof templateSchema>;
export type TemplateResource = v.InferOutput<typeof resourceSchema>;
