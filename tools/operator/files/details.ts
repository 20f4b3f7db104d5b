import type { Deployment } from '../deployment/deployment.ts';
import type { EntityDetails } from '../description/entity.ts';
import { readType } from './content-type.ts';
import type { ShownFile } from './fields.ts';
import { getFile } from './file.ts';

/**
 * Reads a file with the type of its content.
 *
 * @throws {OperationError} when there is no file with this id
 */
export async function describeFile(
  deployment: Deployment,
  fileId: string,
): Promise<EntityDetails<ShownFile>> {
  const { content, ...file } = await getFile(deployment, fileId);
  if (content === undefined) {
    return { of: file, notes: [] };
  }
  const { notes, ...type } = await readType(deployment, content);
  return { of: { ...file, content: { ...content, ...type } }, notes };
}
