import { settings } from '../../lib/settings.ts';
import { curlSteps } from '../local/demo/curl-lines.ts';
import { withBlock } from './blocks.ts';

/** README.md with the curl lines as the demonstration prints them. */
export function readmePage(page: string): string {
  return withBlock(page, 'curl', ['```sh', ...curlSteps('orders.csv'), '```'].join('\n'));
}

/** docs/deployment.md with the table of settings as the stack reads them. */
export function deploymentPage(page: string): string {
  return withBlock(page, 'settings', settingsTable());
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([key, { fallback, allowed, meaning }]) =>
      `| \`${key}\` | ${fallback ?? 'none'} | ${allowed} | ${meaning} |`,
  );
  return ['| Key | Default | Allowed | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
