const shortestPart = 4;
const mostEdits = 2;

/** Whether somebody who wrote `given` probably meant `known`: part of it, or at most two letters off. */
export function resembles(given: string, known: string): boolean {
  const [written, meant] = [plain(given), plain(known)];
  if (written.length >= shortestPart && (meant.startsWith(written) || written.startsWith(meant))) {
    return true;
  }
  return Math.abs(written.length - meant.length) <= mostEdits && editDistance(written, meant) <= mostEdits;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (const [left, other] of [...to].entries()) {
      const replaced = (row[left] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
