import { Agent, request } from 'node:http';

/** One request that is sent again and again. */
export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Load {
  /** Sends the request on every connection for this time, one after another. @returns answers per second */
  readonly run: (seconds: number) => Promise<number>;
  readonly close: () => void;
}

/**
 * Loads a server with keep-alive connections. Every answer must be 200.
 *
 * @param connections how many requests are under way at the same time
 */
export function createLoad(what: LoadRequest, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const runOne = async (until: number): Promise<number> => {
    let answers = 0;
    while (performance.now() < until) {
      await send(what, agent);
      answers += 1;
    }
    return answers;
  };
  return {
    run: async (seconds) => {
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      const answers = await Promise.all(Array.from({ length: connections }, () => runOne(until)));
      const elapsed = (performance.now() - startedAt) / 1000;
      return answers.reduce((sum, count) => sum + count, 0) / elapsed;
    },
    close: () => agent.destroy(),
  };
}

/** @throws {Error} for an answer other than 200, with its body */
export function send({ url, method, headers, body }: LoadRequest, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const sent = request(url, { method, headers: { ...headers, 'content-length': length }, agent });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) {
          resolve(text);
        } else {
          reject(new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`));
        }
      });
    });
    sent.end(body);
  });
}
