import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { runLocal } from '../../../../tools/local/main.ts';
import { TextCollector } from '../../../support/text-stream.ts';

interface HereOptions {
  readonly stateDirectory: string;
  /** Further words of the command line. Its ports are free ones. */
  readonly flags?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** What it prints when this test goes on. Default: that it is ready. */
  readonly until?: string;
}

/** The command line in this process, which takes a tenth of the time that a process of its own would. */
export async function startHere(options: HereOptions) {
  const {
    stateDirectory,
    flags = '--no-demo --no-console',
    env = {},
    isTTY = false,
    until = 'ready ',
  } = options;
  const controller = new AbortController();
  const [stdout, stderr] = [new TextCollector({ isTTY }), new TextCollector()];
  const write = stdout.write.bind(stdout);
  const printed = new Promise<void>((resolve) => {
    stdout.write = (text) => {
      if (String(text).includes(until)) {
        resolve();
      }
      return write(text);
    };
  });
  const parameters = ['--state', stateDirectory, ...`--port 0 --aws-port 0 ${flags}`.split(' ')];
  const ended = runLocal(parameters, { stdout, stderr, env, signal: controller.signal });
  /** Ends it as Ctrl-C does. @returns the exit code */
  const stop = () => {
    controller.abort();
    return ended;
  };
  atEnd(stop);
  await Promise.race([printed, ended]);
  return { stop, stdout: () => stdout.text, stderr: () => stderr.text };
}
