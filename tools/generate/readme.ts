import { settings } from '../../lib/settings.ts';
import { curlSteps } from '../local/demo/curl-lines.ts';
import { withBlock } from './blocks.ts';

/** README.md with the table of settings as the stack reads them, and the curl lines as the demonstration prints them. */
export function readmePage(page: string): string {
  const curl = ['```sh', ...curlSteps('orders.csv'), '```'].join('\n');
  return withBlock(withBlock(page, 'settings', settingsTable()), 'curl', curl);
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([key, { fallback, allowed, meaning }]) =>
      `| \`${key}\` | ${fallback ?? 'none'} | ${allowed} | ${meaning} |`,
  );
  return ['| Key | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
