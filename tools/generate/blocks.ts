/**
 * A page with generated text between two markers, `<!-- NAME:start -->` and `<!-- NAME:end -->`. What is around them is
 * written by hand.
 *
 * @throws Error when a marker is missing
 */
export function withBlock(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = split(page, start);
  const [, after] = split(rest, end);
  return `${before}${start}\n${text}\n${end}${after}`;
}

function split(page: string, marker: string): readonly [string, string] {
  const at = page.indexOf(marker);
  if (at < 0) {
    throw new Error(`the marker ${marker} is missing`);
  }
  return [page.slice(0, at), page.slice(at + marker.length)];
}
