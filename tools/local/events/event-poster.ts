import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BusEvent } from 'cloud-assembly-emulator';
import { listDirectory, openDirectory, removeFile, writeFileAtomically } from 'cloud-assembly-emulator/files';
import { messageOf, reasonOf } from '../../operator/errors.ts';

/**
 * Sends events to a URL with at-least-once delivery, even if the URL is unavailable for a while, or this
 * process ends.
 */
export interface EventPoster {
  /**
   * Stores an event, and sends it in the background. After it resolves, the event survives the end of the
   * process.
   */
  readonly take: (event: BusEvent) => Promise<void>;
  /** Stops sending. The next run sends the undelivered events. */
  readonly close: () => Promise<void>;
}

interface EventPosterOptions {
  /** Folder of the undelivered events, one file for each event. */
  readonly directory: string;
  readonly url: string;
  /** Additional headers, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Writes a line for a person, at most one a minute. */
  readonly say: (line: string) => void;
  /** Wait between two rounds. A new event ends it early. */
  readonly pauseMilliseconds?: number;
}

/** Response timeout of a target (EventBridge User Guide, "API destinations as targets"). */
const responseMilliseconds = 5_000;

/**
 * Minimum time between failure messages. A consumer that rejects some events would otherwise fill the
 * terminal.
 */
const quietMilliseconds = 60_000;

/**
 * Opens the folder, and sends its events, round after round. An undelivered event does not block the others.
 */
export async function openEventPoster(options: EventPosterOptions): Promise<EventPoster> {
  const { directory, url, headers, say, pauseMilliseconds = 1_000 } = options;
  await openDirectory(directory);
  const stopping = new AbortController();
  let pause = new AbortController();
  let quietUntil = 0;
  const noteFailure = (failure: string) => {
    if (performance.now() >= quietUntil) {
      quietUntil = performance.now() + quietMilliseconds;
      say(
        `events: ${withoutQuery(url)} did not take an event: ${failure}. It is sent again until it is taken.`,
      );
    }
  };
  const sendFile = async (path: string) => {
    const failure = await post({ url, headers }, await readFile(path, 'utf8'), stopping.signal);
    stopping.signal.throwIfAborted();
    if (failure === undefined) {
      await removeFile(path);
    } else {
      noteFailure(failure);
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      // Created before the folder is read, so an event that arrives in the meantime starts a new round.
      pause = new AbortController();
      const names = (await listDirectory(directory)).filter((name) => name.endsWith('.json'));
      // Names begin with the time of the event.
      for (const name of names.toSorted()) {
        await sendFile(join(directory, name));
      }
      await delay(pauseMilliseconds, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) {
      say(`events: no more events are sent: ${messageOf(error)}`);
    }
  });
  return {
    take: async (event) => {
      const name = `${Date.parse(event.time)}-${event.id}.json`;
      await writeFileAtomically(join(directory, name), JSON.stringify(event));
      pause.abort();
    },
    close: async () => {
      stopping.abort();
      pause.abort();
      await running;
    },
  };
}

/** Returns a URL that is safe to show. Its query may contain a key, as in `?code=...`. */
export function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?...'}`;
}

/**
 * Sends an event in the format of an EventBridge API destination: the whole event, as JSON.
 *
 * @returns reason for a failed delivery, or undefined
 */
async function post(
  { url, headers }: Pick<EventPosterOptions, 'url' | 'headers'>,
  body: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Amazon/EventBridge/ApiDestinations',
        ...headers,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseMilliseconds)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `it responded with ${response.status}`;
  } catch (error) {
    // The cause of a `fetch` error contains the reason for the failed connection.
    return reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
  }
}
