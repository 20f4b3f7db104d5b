import { isIdentifier } from '../../contract/identifiers.ts';
import { clientSource } from './clients/client.ts';
import type { Deployment } from './deployment/deployment.ts';
import { type Kind, kinds, readItem } from './deployment/items.ts';
import type { Noun } from './description/noun.ts';
import { fileSource } from './files/file.ts';
import { allOf, readAll } from './lists/read.ts';
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

/** Maximum number of clients or files in a result. The lists show all. */
export const limit = 50;

/**
 * Finds the newest clients and files with a text in their name or id, and clients by the id of a secret. Deleted ones are
 * left out.
 */
export async function findByName(
  deployment: Deployment,
  text: string,
  progress?: (items: number) => void,
): Promise<readonly Hit[]> {
  const options = { limit, progress };
  const clients = await allOf(readAll(deployment, clientSource(deployment, { name: text }), options));
  const files = await allOf(readAll(deployment, fileSource({ name: text }), options));
  return [
    ...clients.map(({ client_id, name }) => hit('client', client_id, name)),
    ...files.map(({ file_id, name }) => hit('file', file_id, name)),
  ];
}

/** @param name name of the client or the file. For an upload, the id of its file */
function hit(kind: Noun, id: string, name?: string) {
  return { kind, id, name };
}
