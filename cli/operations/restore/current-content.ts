import type { Item } from '../../../storage/attributes.ts';
import { contentOfUpload, contentToAttribute } from '../../../storage/file.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { listUploads } from '../uploads.ts';

/**
 * The restored file, but with the newest content that the service knows. The restored item points at what was the
 * content then. Meanwhile a later upload may have replaced it, and the lifecycle rule removes what was replaced. So the
 * newest of three counts: the restored content, that of the service's item, and the newest completed upload.
 *
 * @param present the service's item, if there is one that the service can read
 */
export async function currentContent(
  deployment: Deployment,
  restored: Item,
  present: Item | undefined,
): Promise<Item> {
  const uploadId = contentId(restored);
  if (present?.content !== undefined && contentId(present) >= uploadId) {
    const { superseded: _, ...rest } = restored;
    const { content, superseded } = present;
    return { ...rest, content, ...(superseded === undefined ? {} : { superseded }) };
  }
  const newest = await newestContent(deployment, restored.file_id?.S ?? '', uploadId);
  return newest === undefined ? restored : { ...restored, content: newest, ...supersededBy(restored) };
}

/** The list `superseded` with the content that is replaced: its tombstone may be missing. */
function supersededBy(restored: Item): Item {
  const uploadId = contentId(restored);
  const listed = restored.superseded?.L ?? [];
  return uploadId === '' ? {} : { superseded: { L: [...listed, { S: uploadId }] } };
}

/** The upload that an item names as its content. Empty: none. */
function contentId({ content }: Item): string {
  return content?.M?.upload_id?.S ?? '';
}

/** The newest completed upload that was issued after the given one, as content. */
async function newestContent(deployment: Deployment, fileId: string, after: string) {
  for await (const page of listUploads(deployment, { fileId, state: 'completed' })) {
    for (const upload of page) {
      if (upload.upload_id <= after) {
        return undefined;
      }
      if (upload.state === 'completed' && upload.superseded_at === undefined) {
        return contentToAttribute(contentOfUpload(upload));
      }
    }
  }
  return undefined;
}
