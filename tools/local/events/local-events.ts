import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BusEvent, DisposalStack, SentEvent } from 'cloud-assembly-emulator';
import type { LocalRunOptions } from '../start/options.ts';
import type { Terminal } from '../start/terminal.ts';
import { openEventPoster, withoutQuery } from './event-poster.ts';

/**
 * Opens the targets of a local run's events, in addition to the rules of its stack: a file, and a URL.
 *
 * @returns function that stores each event before its sender gets a response. If it fails, the sender retries
 */
export async function openLocalEvents(
  stateDirectory: string,
  { eventsTo, eventsHeader }: Pick<LocalRunOptions, 'eventsTo' | 'eventsHeader'>,
  terminal: Terminal,
  disposals: DisposalStack,
): Promise<(sent: SentEvent) => Promise<void>> {
  const path = join(stateDirectory, 'events.jsonl');
  const log = await open(path, 'a', 0o600);
  disposals.defer(() => log.close());
  const append = async (event: BusEvent) => {
    // One write, so a kill does not leave a partial line.
    await log.appendFile(`${JSON.stringify(event)}\n`);
    await log.datasync();
  };
  if (eventsTo === undefined) {
    terminal.say(`Events are appended to ${path}`);
    return ({ event }) => append(event);
  }
  const directory = join(stateDirectory, 'events-to-send');
  const poster = await openEventPoster({
    directory,
    url: eventsTo,
    headers: eventsHeader,
    say: terminal.warn,
  });
  disposals.defer(poster.close);
  terminal.say(`Events are appended to ${path}, and sent to ${withoutQuery(eventsTo)}`);
  return async ({ event }) => {
    await append(event);
    await poster.take(event);
  };
}
