import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownUpload } from '../stored-state.ts';

/**
 * Two invocations that record a doubled event at the same time both send an announcement, and a third one
 * follows if the process is killed before they complete the upload. A consumer recognises repetitions by
 * their id. More announcements would be a fault of the service.
 */
const maxAnnouncements = 3;

interface Announcement {
  readonly 'detail-type': string;
  readonly detail: { readonly upload_id: string; readonly event_id: string };
}

/**
 * Compares the sent events (`events.jsonl`) with the data that the clients know.
 *
 * @returns all differences; empty if there are none
 */
export async function checkAnnouncements(
  stateDirectory: string,
  known: readonly KnownUpload[],
): Promise<readonly string[]> {
  const text = await readFile(join(stateDirectory, 'events.jsonl'), 'utf8');
  const all = text
    .trimEnd()
    .split('\n')
    .map((line): Announcement => JSON.parse(line));
  return known.flatMap(({ uploadId, outcome }) => {
    const events = all.filter(({ detail }) => detail.upload_id === uploadId);
    const types = events.map((event) => event['detail-type']);
    const completed = events.filter((event) => event['detail-type'] === 'Upload Completed');
    const ids = new Set(completed.map(({ detail }) => detail.event_id));
    const isRight =
      outcome === 'stored'
        ? ids.size === 1 && completed.length <= maxAnnouncements
        : ids.size === 0 && types.length > 0;
    return isRight ? [] : [`${uploadId} was ${outcome}, and was announced as: ${types.join(', ')}`];
  });
}
