import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { runLocal } from '../../../../tools/local/main.ts';
import { type LocalRunOptions, localRunParameters } from '../../../support/local-run.ts';
import { TextCollector } from '../../../support/text-stream.ts';

/** How {@link startHere} starts a run. */
interface HereOptions extends LocalRunOptions {
  readonly stateDirectory: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** What it prints when this test goes on. Default: that it is ready. */
  readonly until?: string;
}

/** The command line in this process, which takes a tenth of the time that a process of its own would. */
export async function startHere({ env = {}, isTTY = false, until = 'ready ', ...options }: HereOptions) {
  const controller = new AbortController();
  const stdout = new TextCollector({ isTTY });
  const stderr = new TextCollector();
  const write = stdout.write.bind(stdout);
  const printed = new Promise<void>((resolve) => {
    stdout.write = (text) => {
      if (String(text).includes(until)) {
        resolve();
      }
      return write(text);
    };
  });
  const ended = runLocal(localRunParameters(options), { stdout, stderr, env, signal: controller.signal });
  /** Ends it as Ctrl-C does. @returns the exit code */
  const stop = () => {
    controller.abort();
    return ended;
  };
  atEnd(stop);
  await Promise.race([printed, ended]);
  return { stop, stdout: () => stdout.text, stderr: () => stderr.text };
}
