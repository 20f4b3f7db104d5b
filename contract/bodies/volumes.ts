import * as v from 'valibot';
import { described, protectedResponses } from './errors.ts';

/** docs/api.md 7.3. */
export const volumeSchema = v.strictObject({
  id: described(v.string(), 'Opaque identifier of the volume'),
  name: described(v.string(), 'Display name'),
});

/** docs/api.md 7.4. */
export const volumeListSchema = v.strictObject({
  data: described(v.array(volumeSchema), 'The volumes that the client can read; currently always empty'),
});

/** Response bodies of `GET /v0/volumes`, by status. */
export const volumesResponses = { 200: volumeListSchema, ...protectedResponses } as const;

export type VolumeList = v.InferOutput<typeof volumeListSchema>;
