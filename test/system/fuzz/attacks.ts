import { attackAuthorizationHeader } from './access-token-attack.ts';
import type { AttackOptions, Statuses } from './attack.ts';
import type { AttackedService } from './attacked-service.ts';
import { attackFileId } from './file-id-attack.ts';
import { attackTokenEndpoint } from './token-endpoint-attack.ts';
import { attackUploadUrl } from './upload-url-attack.ts';

/** Every surface that strangers reach, and what attacks it. Each of them gets as many inputs. */
export const attacks: readonly {
  readonly name: string;
  readonly run: (service: AttackedService, options: AttackOptions) => Promise<Statuses>;
}[] = [
  { name: 'token endpoint', run: attackTokenEndpoint },
  { name: 'Authorization header', run: attackAuthorizationHeader },
  { name: 'fileId', run: attackFileId },
  { name: 'upload URL', run: attackUploadUrl },
];
