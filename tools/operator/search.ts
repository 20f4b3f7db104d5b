import { uploadIdOf } from '../../storage/object-key.ts';
import { type Client, getClient, readClients } from './clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { isNotFound } from './errors.ts';
import { type File, getFile, readFiles } from './files.ts';
import type { Portion } from './lists.ts';
import { listSigningKeys } from './signing-keys.ts';
import { getUpload, readUploads, type Upload } from './uploads.ts';

/** Something that was found. */
export interface Hit {
  readonly kind: 'client' | 'file' | 'upload' | 'organisation' | 'signing key';
  readonly id: string;
  /** Of a client or a file. */
  readonly name?: string;
}

export interface SearchResult {
  /** What has the id, then what has the text in its name or id. */
  readonly hits: readonly Hit[];
  /** Whether there may be more: time was up, or many names have the text. */
  readonly isCutShort: boolean;
  /** Why some places could not be looked at. They hide nothing that was found in others. */
  readonly errors: readonly unknown[];
}

/** The most clients and the most files that are found by their names. The lists show the others. */
const enough = 20;

/**
 * Finds a client, file, upload, organisation or signing key by its id, an upload by the id of the request that its URL was
 * issued to or by its key, and clients and files by a part of their name. Other requests are in the logs alone.
 *
 * @param isTimeUp whether to stop looking for names and requests, for which whole lists are read
 */
export async function search(
  deployment: Deployment,
  text: string,
  isTimeUp: () => boolean = () => false,
): Promise<SearchResult> {
  const organisation = { organisationId: text, status: 'any' } as const;
  const ofName = { enough, isTimeUp };
  const places = [
    one(getClient(deployment, text), clientHit),
    one(getFile(deployment, text), fileHit),
    one(getUpload(deployment, uploadIdOf(text) ?? text), uploadHit),
    one(
      listSigningKeys(deployment).then((keys) => keys.find(({ kid }) => kid === text)),
      ({ kid }): Hit => ({ kind: 'signing key', id: kid }),
    ),
    // An organisation has no record of its own: it is there when a client or a file names it.
    ...[readClients, readFiles].map((read) =>
      one(
        read(deployment, organisation, { enough: 1 }).then(({ entries }) => entries[0]),
        (): Hit => ({ kind: 'organisation', id: text }),
      ),
    ),
    many(readClients(deployment, { text }, ofName), clientHit),
    many(readFiles(deployment, { text }, ofName), fileHit),
    many(readUploads(deployment, { requestId: text }, { enough: 1, isTimeUp }), uploadHit),
  ];
  const found = await Promise.allSettled(places);
  const results = found.flatMap((place) => (place.status === 'fulfilled' ? [place.value] : []));
  const hits = results.flatMap((result) => result.hits);
  const errors = found.flatMap((place) => (place.status === 'rejected' ? [place.reason] : []));
  return {
    // Something can be found by its id and by its name.
    hits: [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()],
    isCutShort: results.some((result) => result.isCutShort),
    errors: errors.filter((error) => !isNotFound(error)),
  };
}

const clientHit = ({ client_id, name }: Client): Hit => ({ kind: 'client', id: client_id, name });
const fileHit = ({ file_id, name }: File): Hit => ({ kind: 'file', id: file_id, name });
const uploadHit = ({ upload_id }: Upload): Hit => ({ kind: 'upload', id: upload_id });

interface Found {
  readonly hits: readonly Hit[];
  readonly isCutShort: boolean;
}

async function one<Entry>(entry: Promise<Entry | undefined>, hitOf: (entry: Entry) => Hit): Promise<Found> {
  const found = await entry;
  return { hits: found === undefined ? [] : [hitOf(found)], isCutShort: false };
}

async function many<Entry>(portion: Promise<Portion<Entry>>, hitOf: (entry: Entry) => Hit): Promise<Found> {
  const { entries, next } = await portion;
  return { hits: entries.map(hitOf), isCutShort: next !== undefined };
}
