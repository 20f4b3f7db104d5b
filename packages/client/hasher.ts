import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FileSyncError, reasonOf } from './errors.ts';

/** Computes the MD5 of sent bytes, and lends the buffers to send them from. */
export interface Hasher {
  /** Returns a free buffer. Waits if all buffers are in use, which limits the memory. */
  readonly buffer: () => Promise<Buffer>;
  /** Adds the first bytes of a lent buffer. The caller must not use the buffer any more. */
  readonly add: (buffer: Buffer, length: number) => void;
  /** Returns the MD5 of all added bytes, lower-case hex. */
  readonly digest: () => Promise<string>;
  readonly close: () => void;
}

const bufferBytes = 1024 * 1024;
const maxBuffers = 4;

/** Size from which a worker saves more time than its start takes. */
const workerBytes = 16 * 1024 * 1024;

/**
 * Unused bytes at the start of each buffer. The kernel copies a page three times slower to an address just
 * behind a multiple of the page size, on processors with AMD's "fast short rep mov".
 */
const offset = 64;

/** Creates a hasher for the given number of bytes: in a worker thread if there are many. */
export function createHasher(size: number): Hasher {
  return size < workerBytes ? hashHere(size) : hashInWorker();
}

function hashHere(size: number): Hasher {
  const hash = createHash('md5');
  const buffer = Buffer.allocUnsafeSlow(Math.min(size, bufferBytes) + 1);
  return {
    buffer: async () => buffer,
    add: (_, length) => hash.update(buffer.subarray(0, length)),
    digest: async () => hash.digest('hex'),
    close: () => undefined,
  };
}

/** A text, so that it needs no file of its own: in the package, in a bundle and in TypeScript. */
const workerProgram = `
const { parentPort } = require('node:worker_threads');
const hash = require('node:crypto').createHash('md5');
parentPort.on('message', (message) => {
  if (message === null) return parentPort.postMessage(hash.digest('hex'));
  const { bytes, length } = message;
  hash.update(new Uint8Array(bytes, ${offset}, length));
  parentPort.postMessage(bytes, [bytes]);
});`;

/** Transfers each buffer to a worker and back, so that the next bytes are sent at the same time. */
function hashInWorker(): Hasher {
  // Without the parent's options, because a loader of the program would slow down the start.
  const worker = new Worker(workerProgram, { eval: true, execArgv: [], env: {} });
  const messages = on(worker, 'message');
  const next = async (): Promise<ArrayBuffer | string> => {
    try {
      return (await messages.next()).value[0];
    } catch (error) {
      throw new FileSyncError('unavailable', `The MD5 cannot be computed: ${reasonOf(error)}.`);
    }
  };
  let buffers = 0;
  return {
    buffer: async () => {
      if (buffers < maxBuffers) {
        buffers += 1;
        return Buffer.allocUnsafeSlow(offset + bufferBytes).subarray(offset);
      }
      const returned = await next();
      return typeof returned === 'string' ? Buffer.alloc(0) : Buffer.from(returned, offset);
    },
    add: ({ buffer: bytes }, length) => worker.postMessage({ bytes, length }, [bytes as ArrayBuffer]),
    digest: async () => {
      worker.postMessage(null);
      for (;;) {
        const message = await next();
        if (typeof message === 'string') {
          return message;
        }
      }
    },
    close: () => void worker.terminate(),
  };
}
