import { type VolumeList, volumesAnswers } from '../../contract/bodies.ts';
import type { ApiEndpoint } from '../shared/api-endpoint.ts';

/** Lists the drive volumes that the client can read: currently none (Contract, GET /v0/volumes). */
export const volumesEndpoint: ApiEndpoint<VolumeList> = {
  requiredScope: 'volume:read',
  answers: volumesAnswers,
  act: async () => ({ data: [] }),
};
