/** A stream that keeps what was written to it. */
export class TextCollector {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 100;

  constructor({ isTTY = false } = {}) {
    this.isTTY = isTTY;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}
