import { awsFacts } from './probes/facts.ts';
import type { Verdict } from './world/outcome.ts';

/** One line of the report. */
export interface Result {
  /** Name of a check, or id of a fact. */
  readonly id: string;
  readonly kind: 'check' | 'fact';
  readonly must: boolean;
  readonly verdict: Verdict;
  readonly seen: string;
  readonly details: readonly string[];
}

/** What a run found. It holds no secret, token or signature. */
export interface Report {
  /** `stack file-sync-dev in eu-west-1`, `local run in .local`. */
  readonly deployment: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly complete: boolean;
  readonly results: readonly Result[];
  /** What this run made and could not remove. */
  readonly left: readonly string[];
}

/**
 * Whether everything that must hold does. What a person left out does not count. What could not be checked does: nobody
 * knows whether it holds.
 */
export function isGood({ results, complete }: Pick<Report, 'results' | 'complete'>): boolean {
  return (
    complete && results.every(({ must, verdict }) => !must || verdict === 'holds' || verdict === 'left out')
  );
}

/** The last line that a person sees. */
export function summary(report: Report): string {
  const count = (verdict: Verdict, kind?: Result['kind']) =>
    report.results.filter((it) => it.verdict === verdict && (kind === undefined || it.kind === kind)).length;
  const facts = report.results.filter(({ kind }) => kind === 'fact').length;
  const bad = report.results.filter(
    ({ must, verdict }) => must && (verdict === 'does not hold' || verdict === 'not checked'),
  );
  const result = isGood(report)
    ? 'Everything that must hold holds.'
    : !report.complete
      ? 'The run was stopped.'
      : `Not everything that must hold does: ${bad.map(({ id }) => id).join(', ')}.`;
  return (
    `${result} Of ${facts} facts, ${count('holds', 'fact')} hold, ${count('does not hold', 'fact')} do not hold, ` +
    `${count('not checked', 'fact')} could not be checked, ${count('left out', 'fact')} were left out.`
  );
}

const behaviours = new Map(awsFacts.map(({ id, behaviour }) => [id, behaviour]));

/** The report as a page for people. */
export function renderReport(report: Report): string {
  const checks = report.results.filter(({ kind }) => kind === 'check');
  const facts = report.results.filter(({ kind }) => kind === 'fact');
  const detailed = checks.filter(({ details }) => details.length > 0);
  return [
    `# Verification of ${report.deployment}`,
    '',
    `- Date: ${report.startedAt} to ${report.endedAt}`,
    `- Base URL: ${report.baseUrl}`,
    `- Result: ${summary(report)}`,
    ...(report.left.length === 0 ? [] : [`- Could not be removed: ${report.left.join('; ')}`]),
    '',
    '## Checks',
    '',
    '| Check | Result | Seen |',
    '|---|---|---|',
    ...checks.map(({ id, verdict, seen }) => `| ${id} | ${marked(verdict)} | ${cell(seen)} |`),
    '',
    ...detailed.flatMap(({ id, details }) => [`### ${id}`, '', ...details, '']),
    '## Facts about AWS',
    '',
    'docs/aws-facts.md says what each is based on. A fact that must hold is one without which the service is wrong or unsafe.',
    '',
    '| Fact | Must hold | Result | Seen | Behaviour |',
    '|---|---|---|---|---|',
    ...facts.map(
      ({ id, must, verdict, seen }) =>
        `| \`${id}\` | ${must ? 'yes' : 'no'} | ${marked(verdict)} | ${cell(seen)} | ${cell(behaviours.get(id) ?? '')} |`,
    ),
    '',
  ].join('\n');
}

function marked(verdict: Verdict): string {
  return verdict === 'does not hold' ? `**${verdict}**` : verdict;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
