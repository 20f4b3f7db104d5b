import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

type SourceData = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 and HMAC for the signer of the SDK, by Node's own code: every AWS call is checked with it. */
export class NativeSha256 {
  readonly #secret: Buffer | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret);
    this.#hash = start(this.#secret);
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = start(this.#secret);
  }
}

function start(secret: Buffer | undefined): Hash | Hmac {
  return secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
}

function bytesOf(data: SourceData): Buffer {
  if (typeof data === 'string') {
    return Buffer.from(data, 'utf8');
  }
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
