import type { AttackedService } from '../../support/attacked-service.ts';
import { attackAuthorizationHeader } from './access-token-attack.ts';
import type { AttackOptions, Statuses } from './attack.ts';
import { attackFileId } from './file-id-attack.ts';
import { attackTokenEndpoint } from './token-endpoint-attack.ts';
import { attackUploadUrl } from './upload-url-attack.ts';

/** A surface, its share of all inputs, and what attacks it. */
export interface Attack {
  readonly name: string;
  /** All shares together are 1. */
  readonly share: number;
  readonly run: (service: AttackedService, options: AttackOptions) => Promise<Statuses>;
}

/** Every surface that strangers reach. */
export const attacks: readonly Attack[] = [
  { name: 'token endpoint', share: 0.32, run: attackTokenEndpoint },
  { name: 'Authorization header', share: 0.3, run: attackAuthorizationHeader },
  { name: 'fileId', share: 0.19, run: attackFileId },
  { name: 'upload URL', share: 0.19, run: attackUploadUrl },
];

/** How many of `total` inputs an attack gets. */
export function inputsOf({ share }: Attack, total: number): number {
  return Math.max(1, Math.round(share * total));
}
