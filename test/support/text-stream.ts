/** A stream that keeps what was written to it. */
export class TextCollector {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 100;

  constructor({ isTTY = false } = {}) {
    this.isTTY = isTTY;
  }

  write(text: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    this.text += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    done?.();
    return true;
  }
}
