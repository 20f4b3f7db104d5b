import { settings } from '../../lib/configuration.ts';
import type { AlarmDefinition } from '../../lib/monitoring/definition.ts';
import { alarmDefinitions } from '../../lib/monitoring/definitions.ts';
import { pages } from '../../lib/monitoring/pages.ts';
import { pageNames, raisedBy } from './alarms-table.ts';
import { withBlock } from './blocks.ts';
import type { GeneratedDocument } from './generate.ts';

const definitions = alarmDefinitions({ signingKeyRotationDays: settings.signingKeyRotationDays.fallback });

/** The index of the runbooks, and the facts at the top of each. What is around them is written by hand. */
export const runbookDocuments: readonly GeneratedDocument[] = [
  { path: 'docs/runbooks/README.md', content: (page) => withBlock(page, 'runbooks', index()) },
  ...runbooksOfAlarms().map(([runbook, alarms]) => ({
    path: `docs/runbooks/${runbook}.md`,
    content: (page: string) => withBlock(page, 'alarm', alarmFacts(alarms)),
  })),
  ...pageNames.map((name) => ({
    path: `docs/runbooks/${pages[name].runbook}.md`,
    content: (page: string) => withBlock(page, 'alarm', pageFacts(name)),
  })),
];

type PageName = (typeof pageNames)[number];

/** Each runbook of an alarm with its alarms, of which there may be several. */
function runbooksOfAlarms(): readonly (readonly [string, readonly AlarmDefinition[]])[] {
  const runbooks = [...new Set(definitions.map(({ runbook }) => runbook))];
  return runbooks.map((name) => [name, definitions.filter(({ runbook }) => runbook === name)]);
}

function alarmFacts(alarms: readonly AlarmDefinition[]): string {
  const rows = alarms.map((alarm) => `| \`${alarm.id}\` | ${raisedBy(alarm)} | ${toldBy(alarm)} |`);
  return ['| Alarm | Raised by | Tells people |', '|---|---|---|', ...rows].join('\n');
}

function toldBy({ page }: AlarmDefinition): string {
  return page === 'own' ? 'itself' : `[\`${page}\`](${pages[page].runbook}.md)`;
}

function pageFacts(name: PageName): string {
  const { suppressedBy } = pages[name];
  const rows = runbooksOfAlarms().flatMap(([runbook, alarms]) => {
    const own = alarms.filter(({ page }) => page === name);
    return own.length === 0 ? [] : [`| [\`${runbook}\`](${runbook}.md) | ${meaningOf(own)} |`];
  });
  const quiet =
    suppressedBy === undefined ? [] : ['', `It tells nobody while \`${suppressedBy}\` is raised.`];
  return ['| Raised while one of these is | It means |', '|---|---|', ...rows, ...quiet].join('\n');
}

function index(): string {
  const ofAlarms = runbooksOfAlarms().map(([runbook, alarms]) => {
    const [first] = alarms;
    return `| [\`${runbook}\`](${runbook}.md) | ${meaningOf(alarms)} | ${first === undefined ? '' : toldBy(first)} |`;
  });
  const ofPages = pageNames.map((name) => {
    const { runbook, means } = pages[name];
    return `| [\`${name}\`](${runbook}.md) | ${means} | itself |`;
  });
  return ['| Alarm | It means | Tells people |', '|---|---|---|', ...ofPages, ...ofAlarms].join('\n');
}

/** Of the alarms of the routes, which have one runbook, the meaning without the route. */
function meaningOf(alarms: readonly AlarmDefinition[]): string {
  const [first] = alarms;
  const means = first?.means ?? '';
  return alarms.length > 1 ? means.replace(/ to (GET|POST) \S+/, ' to a route') : means;
}
