import type { PassThrough } from 'node:stream';

/** Returns the text that was written to a stream. From Node.js 26 on, `read()` without a size returns only the first write. */
export function readText(stream: PassThrough): string {
  return String(stream.read(stream.readableLength) ?? '');
}

/** A stream that collects its text. */
export class TextCollector {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor({ isTTY = false, columns = 100 } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    this.text += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    done?.();
    return true;
  }
}
