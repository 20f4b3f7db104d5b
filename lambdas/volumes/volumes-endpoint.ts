import { type VolumeList, volumesResponses } from '../../contract/bodies/volumes.ts';
import type { ApiEndpoint } from '../shared/http/api-endpoint.ts';

/** Lists the drive volumes that the client can read: currently none (docs/api.md 7.2). */
export const volumesEndpoint: ApiEndpoint<VolumeList> = {
  responses: volumesResponses,
  act: () => ({ data: [] }),
};
