import { lineOf, type Planted } from './report.ts';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

/** Shows how far the run is. */
export interface Progress {
  /** Says what is being done before the first defect. */
  readonly say: (text: string) => void;
  readonly begin: (name: string) => void;
  readonly end: (planted: Planted) => void;
  /** Removes what a terminal shows only while the run goes on. */
  readonly finish: () => void;
}

const clearLine = '\r\u001b[2K';

/** A terminal gets one line that is redrawn, and the defects that no test caught. Other streams get a line for each. */
export function createProgress(stream: Stream, total: number): Progress {
  const running = new Set<string>();
  let done = 0;
  let caught = 0;
  const draw = () => {
    const line = `${done} of ${total}, ${caught} caught; now: ${[...running].join(', ') || '-'}`;
    stream.write(clearLine + line.slice(0, (stream.columns || 80) - 1));
  };
  const line = (text: string) => void stream.write(`${stream.isTTY ? clearLine : ''}${text}\n`);
  return {
    say: line,
    begin: (name) => {
      running.add(name);
      if (stream.isTTY) {
        draw();
      }
    },
    end: (planted) => {
      running.delete(planted.defect.name);
      done += 1;
      const isCaught = planted.outcome.result === 'caught';
      caught += isCaught ? 1 : 0;
      if (!stream.isTTY) {
        line(`${String(done).padStart(String(total).length)}/${total}  ${lineOf(planted)}`);
        return;
      }
      if (!isCaught) {
        line(lineOf(planted));
      }
      draw();
    },
    finish: () => {
      if (stream.isTTY) {
        stream.write(clearLine);
      }
    },
  };
}
