import { type Item, timestamp } from '../../../../storage/attributes.ts';
import { clientList } from '../../../../tools/operator/clients/list.ts';
import { fileList } from '../../../../tools/operator/files/list.ts';
import { uploadList } from '../../../../tools/operator/uploads/list.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from '../../admin/items.ts';

/** Lists by noun. */
export const lists = { client: clientList, file: fileList, upload: uploadList };
export type Noun = keyof typeof lists;
export const nouns = Object.keys(lists) as Noun[];

const [latest, earliest] = [5, 190];
const indexes = Array.from({ length: 200 }, (_, index) => index);

/** Filter values, except for `status`, whose values differ by noun. */
const wanted: Readonly<Record<string, string>> = {
  organisation: 'acme',
  name: 'Nightly export',
  file: 'file_1',
  client: 'client_1',
  request: 'request-1',
  since: timestamp(hoursEarlier(earliest)),
  until: timestamp(hoursEarlier(latest - 1)),
  overdue: 'true',
};
const wantedStatus = { client: 'active', file: 'enabled', upload: 'completed' };

const dividedBy = (divisor: number) => (index: number) => index % divisor === 0;

/** Functions by filter that return true for the items that do not match: a few on each page. */
const lacks: Readonly<Record<string, (index: number) => boolean>> = {
  organisation: dividedBy(5),
  status: dividedBy(7),
  name: dividedBy(11),
  file: dividedBy(13),
  request: dividedBy(17),
  // A client belongs to one organisation, so items of other organisations do not match.
  client: (index) => index % 19 === 0 || index % 5 === 0,
  // A disabled file is not overdue.
  overdue: (index) => index % 23 === 0 || index % 7 === 0,
  since: (index) => index > earliest,
  until: (index) => index < latest,
};
const has = (filter: string, index: number) => lacks[filter]?.(index) === false;

function itemOf(noun: Noun, index: number): Item {
  const of = (filter: string, value = wanted[filter] ?? '', other = 'x') =>
    has(filter, index) ? value : other;
  const named = { organisation_id: of('organisation'), name: of('name') };
  switch (noun) {
    case 'client':
      return clientItem(`client_${index}`, index, { ...named, status: of('status', 'active', 'revoked') });
    case 'file':
      return {
        ...fileItem(`file_${index}`, index, {
          ...named,
          expected_state: of('overdue', 'overdue', 'waiting'),
          expected_by: timestamp(hoursEarlier(index)),
        }),
        sync_enabled: { BOOL: has('status', index) },
      };
    case 'upload':
      return uploadItem(index, {
        ...named,
        file_id: of('file'),
        client_id: of('client'),
        request_id: of('request'),
        state: of('status', 'completed', 'issued'),
      });
  }
}

/** Returns the id of the item that is the given number of hours older than the newest. */
export const idOf = (noun: Noun, index: number) =>
  noun === 'upload' ? uploadIdOf(index) : `${noun}_${index}`;
/** Returns the ids of the items that match all given filters, newest first. */
export const idsWith = (noun: Noun, filters: readonly string[]) =>
  indexes.filter((index) => filters.every((filter) => has(filter, index))).map((index) => idOf(noun, index));

const itemsOf = (noun: Noun) => indexes.map((index) => itemOf(noun, index));

/**
 * 200 clients, files and uploads, each an hour older than the one before. They require several reads and
 * several pages of the console.
 */
export const manyListed = {
  clients: itemsOf('client'),
  files: itemsOf('file'),
  uploads: itemsOf('upload'),
};

/** Returns the filters with their values. */
export const given = (noun: Noun, filters: readonly string[]) =>
  filters.map((filter): [string, string] => [
    filter,
    filter === 'status' ? wantedStatus[noun] : (wanted[filter] ?? `no value for ${filter}`),
  ]);
