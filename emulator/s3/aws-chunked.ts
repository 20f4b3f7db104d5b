import { AwsError } from '../shared/errors.ts';

/** Longest line between chunks, which is a size or a trailer. */
const longestLineBytes = 4096;

/**
 * Decodes the `aws-chunked` content encoding that the SDK uses for streams, with unsigned chunks and trailers
 * (S3 API reference, "Transferring payload in multiple chunks with trailing headers").
 */
export interface AwsChunkedBody {
  readonly content: AsyncIterable<Buffer>;
  /** Trailers by lower-case name; complete once the content has ended. */
  readonly trailers: ReadonlyMap<string, string>;
}

export function decodeAwsChunked(encoded: AsyncIterable<Buffer>): AwsChunkedBody {
  const trailers = new Map<string, string>();
  return { content: readChunks(new ByteReader(encoded), trailers), trailers };
}

async function* readChunks(reader: ByteReader, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  for (;;) {
    const size = parseSize(await reader.line());
    if (size === 0) {
      break;
    }
    yield* reader.bytes(size);
    if ((await reader.line()) !== '') {
      throw malformed();
    }
  }
  for (;;) {
    const line = await reader.lineOrEnd();
    if (line === undefined || line === '') {
      break;
    }
    const colon = line.indexOf(':');
    if (colon < 0) {
      throw malformed();
    }
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  await reader.end();
}

function parseSize(line: string): number {
  const match = /^([0-9a-fA-F]{1,12})(;.*)?$/.exec(line);
  if (match === null) {
    throw malformed();
  }
  return Number.parseInt(match[1] ?? '', 16);
}

function malformed(): AwsError {
  return new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');
}

/** Reads lines and counted bytes off a stream of buffers. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) {
      throw malformed();
    }
    return line;
  }

  async lineOrEnd(): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffered.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#buffered.subarray(0, end).toString('latin1');
        this.#buffered = this.#buffered.subarray(end + 2);
        return line;
      }
      if (this.#buffered.length > longestLineBytes) {
        throw malformed();
      }
      if (!(await this.#fill())) {
        if (this.#buffered.length > 0) {
          throw malformed();
        }
        return undefined;
      }
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.#buffered.length === 0 && !(await this.#fill())) {
        throw malformed();
      }
      const part = this.#buffered.subarray(0, left);
      this.#buffered = this.#buffered.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async end(): Promise<void> {
    while (await this.#fill()) {}
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) {
      return false;
    }
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
    return true;
  }
}
