import type { CheckReport, NothingToCheck } from './check.ts';
import type { StagedFinding } from './finding.ts';

/** What the check found, for people. */
export function renderReport(report: CheckReport | NothingToCheck): string {
  if ('none' in report) {
    return `Nothing was checked: ${report.none}.\n`;
  }
  const { from, commit, findings } = report;
  const name = `${from} (${commit.slice(0, 12)})`;
  const compared = `${comparedText(report)}\n`;
  if (findings.length === 0) {
    return `An update from ${name} to this checkout loses nothing.\n${compared}`;
  }
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  return `An update from ${name} to this checkout loses data or breaks something: ${count}.\n${compared}${findings.map(renderFinding).join('')}`;
}

function comparedText({ from, resources, items }: CheckReport): string {
  const read =
    items.length === 0
      ? `${from} recorded no stored items, so that none were read`
      : `read the stored items of ${items.map(({ version, items: count }) => `${version} (${count})`).join(', ')}`;
  return `Compared ${resources.prod} resources of prod and ${resources.dev} of dev; ${read}.`;
}

function renderFinding({ kind, subject, stages, what, why, next }: StagedFinding): string {
  const where = stages.length === 0 ? '' : ` (${stages.join(', ')})`;
  return `\n${kind}: ${subject}${where}\n  What  ${what}\n  Why   ${why}\n  Next  ${next}\n`;
}
