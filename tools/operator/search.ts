import { isIdentifier } from '../../contract/identifiers.ts';
import { clientSource } from './clients/client.ts';
import type { Deployment } from './deployment/deployment.ts';
import { type Kind, kinds, readItem } from './deployment/items.ts';
import type { Noun } from './description/noun.ts';
import { fileSource } from './files/file.ts';
import { allOf, readAll, readPage } from './lists/read.ts';
import { requestIdIn } from './requests/request-id.ts';
import { uploadSource } from './uploads/upload.ts';

/** Result of a search. */
export type Hit = ReturnType<typeof hit>;

/**
 * Finds clients, files, uploads and organisations by their id, in four calls of DynamoDB, or a request. Starts a slower
 * search only if none is found.
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
  const hits = found.flat();
  return hits.length > 0 ? hits : findSlowly(deployment, text);
}

/** Maximum number of uploads, clients or files in a result. The lists show all. */
export const limit = 50;

/**
 * Finds uploads by the start of their id, or a client by the id of a secret, for which all clients are read.
 */
async function findSlowly(deployment: Deployment, text: string): Promise<readonly Hit[]> {
  // The first eight characters of an upload id are a time, precise to 66 seconds (RFC 9562 section 5.7).
  if (/^[0-9a-f]{8}(-[0-9a-f-]*)?$/.test(text)) {
    const { entries } = await readPage(deployment, uploadSource(deployment, { idStart: text }), { limit });
    return entries.map(({ upload_id, file_id }) => hit('upload', upload_id, file_id));
  }
  return text.startsWith('secret_') ? findByName(deployment, text) : [];
}

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
