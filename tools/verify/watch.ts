import type { TextStream } from '../terminal/output.ts';
import type { Result } from './report.ts';
import type { Watcher } from './run.ts';

/**
 * Shows how a run goes on: a line for each result on standard output. What is being done is one line that is redrawn on a
 * terminal, and a line of its own for each check elsewhere.
 */
export function createWatcher(stdout: TextStream, stderr: TextStream): Watcher {
  const redrawn = stderr.isTTY === true;
  const clear = () => {
    if (redrawn) {
      stderr.write('\r\u001b[2K');
    }
  };
  return {
    begin: (number, total, does, kind) => {
      const text = `[${number}/${total}] ${does}`;
      if (redrawn) {
        clear();
        const columns = stderr.columns || 80;
        stderr.write(text.length < columns ? text : `${text.slice(0, columns - 2)}…`);
      } else if (kind === 'check') {
        stderr.write(`${text}\n`);
      }
    },
    end: (result) => {
      clear();
      stdout.write(`${lineOf(result)}\n`);
    },
    say: (text) => {
      clear();
      stderr.write(`${text}\n`);
    },
  };
}

/** The width of the longest verdict, so that the ids stand below each other. */
const verdictColumns = 'does not hold'.length;

function lineOf({ id, must, verdict, seen }: Result): string {
  const mild = verdict === 'does not hold' && !must ? ' (it need not)' : '';
  return `${verdict.padEnd(verdictColumns)}  ${id}${mild}: ${seen}`;
}
