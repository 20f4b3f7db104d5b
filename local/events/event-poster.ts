import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BusEvent } from '../../emulator/events/outbox.ts';
import { createLimiter } from '../../emulator/shared/concurrency.ts';
import {
  listDirectory,
  makeDirectory,
  readFileIfPresent,
  removeFile,
  removeTemporaryFiles,
  writeFileAtomically,
} from '../../emulator/shared/files.ts';

/** Sends events to a URL, each at least once, also when the URL takes none for a while or this process ends. */
export interface EventPoster {
  /** Keeps an event, and sends it in the background. When it resolves, the event survives the end of the process. */
  readonly take: (event: BusEvent) => Promise<void>;
  /** Stops sending. What was not taken is sent by the next run. */
  readonly close: () => Promise<void>;
}

export interface EventPosterOptions {
  /** Holds the events that were not taken yet, a file for each. */
  readonly directory: string;
  readonly url: string;
  /** Takes a line for a person: that the URL takes no events, and that it takes them again. */
  readonly say: (line: string) => void;
  /** Sends one event. @throws {Error} when it was not taken */
  readonly post?: (url: string, event: BusEvent, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly backoff?: { readonly firstMilliseconds: number; readonly longestMilliseconds: number };
}

/** As long as EventBridge tries by default (EventBridge User Guide, "How EventBridge retries delivering events"). */
const longestTryMilliseconds = 24 * 3_600_000;

/** Requests at the same time. */
const mostRequests = 4;

const defaultBackoff = { firstMilliseconds: 250, longestMilliseconds: 10_000 };

/** Opens the folder, and begins to send what an earlier run did not. */
export async function openEventPoster(options: EventPosterOptions): Promise<EventPoster> {
  const { directory } = options;
  await makeDirectory(directory);
  await removeTemporaryFiles(directory);
  const stopping = new AbortController();
  // Each event that waits listens to it, and any number of events may wait.
  setMaxListeners(0, stopping.signal);
  const limit = createLimiter(mostRequests);
  const health = createHealth(options);
  const active = new Set<Promise<void>>();
  const send = (event: BusEvent) => {
    const attempt = (signal: AbortSignal) => limit(() => attemptOnce(event, options, signal));
    const sending = sendPatiently(event, attempt, health, options, stopping.signal)
      .then(() => removeFile(fileOf(directory, event)))
      // It is still in the folder, for the next run.
      .catch(() => undefined);
    active.add(sending);
    void sending.then(() => active.delete(sending));
  };
  for (const event of await readEvents(options)) {
    send(event);
  }
  return {
    take: async (event) => {
      await writeFileAtomically(fileOf(directory, event), JSON.stringify(event));
      send(event);
    },
    close: async () => {
      stopping.abort();
      await Promise.all(active);
    },
  };
}

const fileOf = (directory: string, event: BusEvent) => join(directory, `${event.id}.json`);

/** Files that are open at the same time. Any number of events may wait, but a process may not open any number of files. */
const mostOpenFiles = 16;

async function readEvents({ directory, say }: EventPosterOptions): Promise<readonly BusEvent[]> {
  const names = (await listDirectory(directory)).filter((name) => name.endsWith('.json'));
  const limit = createLimiter(mostOpenFiles);
  const read = async (name: string) => {
    const path = join(directory, name);
    const text = await readFileIfPresent(path);
    const event = text === undefined ? undefined : parseEvent(text);
    if (text !== undefined && event === undefined) {
      say(`events: ${path} holds no event. It is not sent: remove the file.`);
    }
    return event;
  };
  const events = await Promise.all(names.map((name) => limit(() => read(name))));
  return events.filter((event) => event !== undefined).toSorted((a, b) => a.time.localeCompare(b.time));
}

/** @returns undefined for a file that somebody has changed, or that a failing disk has */
function parseEvent(text: string): BusEvent | undefined {
  try {
    const event = JSON.parse(text) as Partial<BusEvent> | null;
    return typeof event?.id === 'string' && typeof event.time === 'string' ? (event as BusEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** A URL as a person may see it. Its query may hold a key, as in `?code=...`. */
export function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?...'}`;
}

type Attempt = (signal: AbortSignal) => Promise<Error | undefined>;

async function attemptOnce(
  event: BusEvent,
  { url, post = postEvent }: EventPosterOptions,
  signal: AbortSignal,
): Promise<Error | undefined> {
  signal.throwIfAborted();
  return post(url, event, signal).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}

/** Resolves when the event was taken, or is too old. */
async function sendPatiently(
  event: BusEvent,
  attempt: Attempt,
  health: Health,
  { now = Date.now, backoff = defaultBackoff }: EventPosterOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = backoff.firstMilliseconds; ; wait = Math.min(2 * wait, backoff.longestMilliseconds)) {
    const failure = await attempt(signal);
    signal.throwIfAborted();
    if (failure === undefined) {
      health.taken();
      return;
    }
    if (now() - Date.parse(event.time) > longestTryMilliseconds) {
      health.dropped(event, failure);
      return;
    }
    health.refused(failure);
    await delay(wait, undefined, { signal });
  }
}

interface Health {
  readonly taken: () => void;
  readonly refused: (failure: Error) => void;
  readonly dropped: (event: BusEvent, failure: Error) => void;
}

/** Says once that the URL takes no events, and once that it does again, however many events wait. */
function createHealth({ url, say }: EventPosterOptions): Health {
  const shown = withoutQuery(url);
  let isWell = true;
  return {
    taken: () => {
      if (!isWell) {
        say(`events: ${shown} takes events again`);
      }
      isWell = true;
    },
    refused: ({ message }) => {
      if (isWell) {
        say(`events: ${shown} did not take an event: ${message}. It is sent again until it is taken.`);
      }
      isWell = false;
    },
    dropped: ({ id }, { message }) =>
      say(`events: ${shown} has not taken event ${id} for 24 hours: ${message}. It is not sent any more.`),
  };
}

/** Longest that a target may take for an answer (EventBridge User Guide, "API destinations as targets"). */
const answerMilliseconds = 5_000;

/** Sends an event as EventBridge sends one to an API destination: the whole event, as JSON. */
async function postEvent(url: string, event: BusEvent, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Amazon/EventBridge/ApiDestinations',
    },
    body: JSON.stringify(event),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)]),
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  await answer.body?.cancel();
  if (!answer.ok) {
    throw new Error(`it answered ${answer.status}`);
  }
}

/** `fetch` hides why a connection failed in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return `it did not answer within ${answerMilliseconds / 1000} s`;
  }
  if (cause instanceof Error && cause.message === 'bad port') {
    // https://fetch.spec.whatwg.org/#port-blocking
    return 'fetch connects to no such port, so choose another one';
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
