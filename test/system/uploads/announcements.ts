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
  const lines = text.split('\n').filter((line) => line !== '');
  const announced = new Map<string, Announcement[]>();
  for (const line of lines) {
    const event = JSON.parse(line) as Announcement;
    const { upload_id } = event.detail;
    announced.set(upload_id, [...(announced.get(upload_id) ?? []), event]);
  }
  return known.flatMap(({ uploadId, outcome }) => {
    const events = announced.get(uploadId) ?? [];
    const completed = events.filter((event) => event['detail-type'] === 'Upload Completed');
    if (outcome === 'abandoned') {
      return completed.length === 0 && events.length > 0
        ? []
        : [`${uploadId} was not stored, and was announced as ${typesOf(events)}`];
    }
    const ids = new Set(completed.map(({ detail }) => detail.event_id));
    const isRight = completed.length >= 1 && completed.length <= maxAnnouncements && ids.size === 1;
    return isRight ? [] : [`${uploadId} was stored, and was announced as ${typesOf(events)}`];
  });
}

function typesOf(events: readonly Announcement[]): string {
  return events.length === 0 ? 'nothing' : events.map((event) => event['detail-type']).join(', ');
}
