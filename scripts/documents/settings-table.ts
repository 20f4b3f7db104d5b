import { settings } from '../../lib/configuration.ts';

const [start, end] = ['<!-- settings:start -->', '<!-- settings:end -->'];

/**
 * A page with the table of settings between its markers: each setting as the stack reads it, with its default, the
 * allowed values and the meaning.
 *
 * @throws Error when a marker is missing
 */
export function withSettingsTable(page: string): string {
  const [before, rest] = split(page, start);
  const [, after] = split(rest, end);
  return `${before}${start}\n${settingsTable()}\n${end}${after}`;
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([key, { fallbackText, allowed, meaning }]) =>
      `| \`${key}\` | ${fallbackText} | ${allowed} | ${meaning} |`,
  );
  return ['| Key | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function split(page: string, marker: string): readonly [string, string] {
  const at = page.indexOf(marker);
  if (at < 0) throw new Error(`the marker ${marker} is missing`);
  return [page.slice(0, at), page.slice(at + marker.length)];
}
