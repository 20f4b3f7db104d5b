import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';

/** A process that serves over HTTP, whose CPU time is measured. */
export interface Contestant {
  readonly url: string;
  /** CPU time that the process has used since it started, in microseconds: all threads, user and system. */
  readonly cpuMicroseconds: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts a bundled program of bench/programs/ with plain Node.js, as it would run in Lambda. */
export async function startContestant(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Contestant> {
  // For a profile, such as BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=profiles'.
  const options = process.env.BENCH_NODE_OPTIONS;
  const child = fork(program, {
    env: { ...env, NODE_ENV: 'production', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    execArgv: options === undefined ? [] : options.split(' '),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await ask(child, 'port');
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMicroseconds: () => {
      child.send('cpu');
      return ask(child, 'cpuMicroseconds');
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Waits for the next message of the process, and gives the number that it holds. */
async function ask(child: ChildProcess, name: string): Promise<number> {
  const done = new AbortController();
  try {
    const exited = once(child, 'exit', done).then(([code]) => {
      throw new Error(`A process of the benchmark ended with ${code}`);
    });
    const [message] = await Promise.race([once(child, 'message', done), exited]);
    return Number(message[name]);
  } finally {
    done.abort();
  }
}

/** One request of a benchmark. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Sends the request over a connection that is kept, and resolves with the body.
 *
 * @throws {Error} when the status is not 200: a benchmark of refusals would say nothing
 */
export function send(url: string, { method, path, headers, body }: BenchRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) {
          resolve(text);
        } else {
          reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`));
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
