/** A stream that keeps what was written to it. */
export class TextCollector {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor({ isTTY = false, columns = 100 } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}
