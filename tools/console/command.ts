import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleRequest } from '../terminal/console-request.ts';
import { note, showJson } from '../terminal/output.ts';
import { serveConsole } from './serve.ts';

/** Serves the console until it is asked to end. */
export async function runConsole(request: ConsoleRequest): Promise<void> {
  const { port, stdin, output, ended, ...shown } = request;
  const console = await serveConsole({
    port,
    portFlag: '--port',
    now: Date.now,
    open: async () => ({
      ...shown,
      sleep,
      newLinkHint: 'Press Enter in the terminal of the console to get a new one, or start the console again.',
    }),
  });
  const link = console.newLink();
  if (output.json) {
    showJson(output, { url: link });
  } else {
    output.stdout.write(`console ${link}\n`);
  }
  note(output, 'The link works once. Press Enter for a new link, or Ctrl-C to stop the console.');
  // Without a terminal, nobody presses Enter.
  if (stdin.isTTY) {
    stdin.on('data', () => output.stdout.write(`console ${console.newLink()}\n`));
  }
  await ended;
  stdin.pause();
  await console.close();
}
