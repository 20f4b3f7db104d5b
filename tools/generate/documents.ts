import { settings } from '../../lib/settings.ts';
import { curlSteps } from '../local/demo/curl-lines.ts';
import { stateSchema } from '../operator/apply/state.ts';
import { stackStates } from '../operator/doctor/stack.ts';
import { capacityTable } from './capacity.ts';
import { eventExample, eventTables } from './events/page.ts';
import { convert, eventSchemas } from './events/schemas.ts';
import { floodCostTable } from './flood-cost.ts';
import { idleCostTable } from './idle-cost.ts';
import { withMeanings } from './runbooks.ts';

/** A file, or a part of a file, that is generated from another source. */
interface GeneratedDocument {
  /** Path from the project's root. */
  readonly path: string;
  /** Returns the complete new text of the file, from its current text. */
  readonly content: (current: string) => string;
}

/** All generated documents. */
export const documents: readonly GeneratedDocument[] = [
  ...eventSchemas,
  { path: 'docs/state.schema.json', content: () => `${JSON.stringify(convert(stateSchema), null, 2)}\n` },
  {
    path: 'docs/events.md',
    content: (page) => withBlock(withBlock(page, 'events', eventTables()), 'example', eventExample()),
  },
  ...['README.md', 'docs/api.md'].map((path) => ({
    path,
    content: (page: string) =>
      withBlock(page, 'curl', ['```sh', ...curlSteps('orders.csv'), '```'].join('\n')),
  })),
  { path: 'docs/runbooks.md', content: withMeanings },
  {
    path: 'docs/cost.md',
    content: (page) =>
      withBlock(
        withBlock(withBlock(page, 'idle', idleCostTable()), 'flood', floodCostTable()),
        'capacity',
        capacityTable(),
      ),
  },
  {
    path: 'docs/deployment.md',
    content: (page) =>
      withBlock(withBlock(page, 'settings', settingsTable()), 'stack-states', stackStatesTable()),
  },
];

function stackStatesTable(): string {
  const rows = stackStates.map(
    ({ states, means, action }) => `| ${states.join(', ')} | ${means} | ${action} |`,
  );
  return `| State of the stack | Meaning | Action |\n|---|---|---|\n${rows.join('\n')}`;
}

function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([key, { fallback, allowed, meaning }]) =>
      `| \`${key}\` | ${String(fallback ?? '') || 'none'} | ${allowed} | ${meaning} |`,
  );
  return `| Key | Default | Allowed | Meaning |\n|---|---|---|---|\n${rows.join('\n')}`;
}

/**
 * Returns a page with generated text between `<!-- NAME:start -->` and `<!-- NAME:end -->`. People write the
 * text around the markers.
 */
function withBlock(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`the markers ${start} and ${end} are missing`);
  }
  return `${page.slice(0, from)}${start}\n${text}\n${page.slice(to)}`;
}
