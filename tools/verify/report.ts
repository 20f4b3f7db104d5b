import { awsFacts } from './checks/checks.ts';
import type { Outcome, Verdict } from './outcome.ts';

/** One line of the report. */
export interface Result extends Outcome {
  /** Name of a part, or id of a fact. */
  readonly id: string;
  readonly isFact: boolean;
  readonly must: boolean;
}

/** What a run found. It holds no secret, token or signature. */
export interface Report {
  /** `stack file-sync-dev`, `a local run`. */
  readonly deployment: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly complete: boolean;
  readonly results: readonly Result[];
  /** What this run made and could not remove. */
  readonly left?: string;
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
  const facts = report.results.filter(({ isFact }) => isFact);
  const count = (verdict: Verdict) => facts.filter((fact) => fact.verdict === verdict).length;
  const bad = report.results.filter(
    ({ must, verdict }) => must && (verdict === 'does not hold' || verdict === 'not checked'),
  );
  const result = isGood(report)
    ? 'Everything that must hold holds.'
    : !report.complete
      ? 'The run was stopped.'
      : `Not everything that must hold does: ${bad.map(({ id }) => id).join(', ')}.`;
  return (
    `${result} Of ${facts.length} facts, ${count('holds')} hold, ${count('does not hold')} do not hold, ` +
    `${count('not checked')} could not be checked, ${count('left out')} were left out.`
  );
}

/** The width of the longest verdict, so that the ids stand below each other. */
const verdictColumns = 'does not hold'.length;

/** A result as one line for a terminal. */
export function lineOf({ id, must, verdict, seen }: Result): string {
  const mild = verdict === 'does not hold' && !must ? ' (it need not)' : '';
  return `${verdict.padEnd(verdictColumns)}  ${id}${mild}: ${seen}`;
}

const behaviours = new Map(awsFacts.map(({ id, behaviour }) => [id, behaviour]));

/** The report as a page for people. */
export function renderReport(report: Report): string {
  const parts = report.results.filter(({ isFact }) => !isFact);
  const facts = report.results.filter(({ isFact }) => isFact);
  return [
    `# Verification of ${report.deployment}`,
    '',
    `- Date: ${report.startedAt} to ${report.endedAt}`,
    `- Base URL: ${report.baseUrl}`,
    `- Result: ${summary(report)}`,
    ...(report.left === undefined ? [] : [`- Could not be removed: ${report.left}`]),
    '',
    '## Parts',
    '',
    '| Part | Result | Seen |',
    '|---|---|---|',
    ...parts.map(({ id, verdict, seen }) => `| ${id} | ${marked(verdict)} | ${cell(seen)} |`),
    '',
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
