import { uploadIdOf } from '../../storage/object-key.ts';
import { type Client, getClient, readClients } from './clients/client.ts';
import type { Deployment } from './deployment/deployment.ts';
import { isNotFound } from './errors.ts';
import { type File, getFile, readFiles } from './files/file.ts';
import type { Page } from './lists/list.ts';
import { listSigningKeys } from './signing-keys/signing-key.ts';
import { namesFor } from './uploads/names.ts';
import { getUpload, readUploads, type Upload } from './uploads/upload.ts';

/** Something that was found. */
export interface Hit {
  readonly kind: 'client' | 'file' | 'upload' | 'organisation' | 'signing key';
  readonly id: string;
  /** The name of the client or the file. For an upload, the name of its file. */
  readonly name?: string | undefined;
}

export interface SearchResult {
  /** First the hits by id, then the hits by a part of a name or id. */
  readonly hits: readonly Hit[];
  /** Whether there may be more hits: time was up, or many names have the text. */
  readonly isCutShort: boolean;
  /** Why some places could not be searched. The hits of all other places are there. */
  readonly errors: readonly unknown[];
}

/** The most clients, and the most files, that a search finds by name. The lists show the others. */
const enough = 20;

/**
 * Finds clients, files, uploads, organisations and signing keys by their ids. Also finds a client by the id of a secret, an
 * upload by its object key or its request id, and clients and files by a part of their name. Requests that got no upload
 * URL are only in the logs.
 *
 * @param isTimeUp whether to stop looking for names and requests, for which whole lists are read
 */
export async function search(
  deployment: Deployment,
  text: string,
  isTimeUp: () => boolean = () => false,
): Promise<SearchResult> {
  let isCutShort = false;
  const entriesOf = async <Entry>(page: Promise<Page<Entry>>): Promise<readonly Entry[]> => {
    const { entries, next } = await page;
    isCutShort ||= next !== undefined;
    return entries;
  };
  const uploadHits = async (uploads: readonly Upload[]): Promise<readonly Hit[]> => {
    const { files } = await namesFor(deployment, uploads);
    return uploads.map(({ upload_id, file_id }) => hit('upload', upload_id, files.get(file_id)));
  };
  const ofName = { enough, isTimeUp };
  const found = await Promise.allSettled([
    getClient(deployment, text).then((client) => [clientHit(client)]),
    getFile(deployment, text).then((file) => [fileHit(file)]),
    getUpload(deployment, uploadIdOf(text) ?? text).then((upload) => uploadHits([upload])),
    listSigningKeys(deployment).then((keys) =>
      keys.filter(({ kid }) => kid === text).map(({ kid }) => hit('signing key', kid)),
    ),
    // An organisation has no record of its own: it exists when a client or a file names it.
    ...[readClients, readFiles].map((read) =>
      read(deployment, { organisationId: text, status: 'any' }, { enough: 1 }).then(({ entries }) =>
        entries.map(() => hit('organisation', text)),
      ),
    ),
    entriesOf(readClients(deployment, { text }, ofName)).then((clients) => clients.map(clientHit)),
    entriesOf(readFiles(deployment, { text }, ofName)).then((files) => files.map(fileHit)),
    entriesOf(readUploads(deployment, { requestId: text }, { enough: 1, isTimeUp })).then(uploadHits),
  ]);
  const hits = found.flatMap((place) => (place.status === 'fulfilled' ? place.value : []));
  const errors = found.flatMap((place) => (place.status === 'rejected' ? [place.reason] : []));
  return {
    // The same client or file can be found by its id and by its name.
    hits: [...new Map(hits.map((one) => [`${one.kind} ${one.id}`, one])).values()],
    isCutShort,
    errors: errors.filter((error) => !isNotFound(error)),
  };
}

function hit(kind: Hit['kind'], id: string, name?: string): Hit {
  return { kind, id, name };
}

const clientHit = ({ client_id, name }: Client): Hit => hit('client', client_id, name);
const fileHit = ({ file_id, name }: File): Hit => hit('file', file_id, name);
