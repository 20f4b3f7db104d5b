import { isIdentifier } from '../../contract/identifiers.ts';
import type { Deployment } from './deployment/deployment.ts';
import { type Kind, kinds, readItem } from './deployment/items.ts';
import type { Noun } from './description/noun.ts';
import { requestIdIn } from './requests/request-id.ts';

/** Result of a search. */
export type Hit = ReturnType<typeof hit>;

/**
 * Finds clients, files, uploads and organisations by their id, in four calls of DynamoDB, or a request.
 *
 * @param text text from `searchTextOf`
 */
export async function findById(deployment: Deployment, text: string): Promise<readonly Hit[]> {
  if (!isIdentifier(text)) {
    // Only the id of a request can end with `=`.
    return requestIdIn(text) === undefined ? [] : [hit('request', text)];
  }
  const found = await Promise.all(
    (Object.keys(kinds) as Kind[]).map(async (kind) => {
      const item = await readItem(deployment, kind, text);
      return item === undefined ? [] : [hit(kind, text, item.name?.S ?? item.file_id?.S)];
    }),
  );
  return found.flat();
}

/** @param name name of the client or the file. For an upload, the id of its file */
function hit(kind: Noun, id: string, name?: string) {
  return { kind, id, name };
}
