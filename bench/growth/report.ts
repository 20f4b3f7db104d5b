import type { EndpointCost } from './endpoint-cost.ts';
import { emptyList, type ListCost } from './lists.ts';
import type { Amount } from './seed.ts';

interface Memory {
  readonly now: number;
  readonly peak: number;
}

export interface GrowthReport {
  readonly small: Amount;
  readonly large: Amount;
  readonly endpoints: readonly EndpointCost[];
  readonly lists: readonly ListCost[];
  /** Of the serving processes, in bytes. */
  readonly memory: { readonly small: Memory; readonly large: Memory; readonly largeAfterLists: Memory };
}

/** A request costs at most so much more CPU time in the large deployment. */
const maximumRatio = 1.05;

/** A list shows its first page within so many seconds, beyond the start of its process. */
const maximumFirstPage = 1;

/** How long the first page takes beyond a process that lists nothing, in seconds. */
function beyondStart({ firstPage }: ListCost, lists: readonly ListCost[]): number {
  const start = lists.find(({ command }) => command === emptyList.join(' '));
  return firstPage - (start?.firstPage ?? 0);
}

/** What does not reach its target. */
export function missedTargets({ endpoints, lists }: GrowthReport): readonly string[] {
  return [
    ...endpoints.filter(({ ratio }) => !(ratio <= maximumRatio)).map(({ name }) => name),
    ...lists.filter((list) => !(beyondStart(list, lists) <= maximumFirstPage)).map(({ command }) => command),
  ];
}

/** The report for a person. */
export function growthTable(report: GrowthReport): string {
  const { small, large, endpoints, lists, memory } = report;
  const lines = [
    `CPU time of one warm request: ${amount(small)}, and ${amount(large)}`,
    ...endpoints.map(
      ({ name, small: a, large: b, ratio }) =>
        `  ${name.padEnd(26)} ${a.toFixed(0).padStart(7)} µs ${b.toFixed(0).padStart(7)} µs  x${ratio.toFixed(3)}${mark(ratio <= maximumRatio)}`,
    ),
    `\nMemory of the run, now and at its peak`,
    `  small ${megabytes(memory.small)}`,
    `  large ${megabytes(memory.large)}`,
    `  large, after the lists ${megabytes(memory.largeAfterLists)}`,
    `\nAdmin lists to their first page: in all, beyond a process that lists nothing (the first line), CPU time, memory`,
    ...lists.map((list) => listLine(list, beyondStart(list, lists))),
  ];
  const missed = missedTargets(report);
  lines.push(missed.length === 0 ? '\nAll targets hold.' : `\nMissed: ${missed.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function listLine({ command, firstPage, cpu, peak }: ListCost, beyond: number): string {
  const times = `${seconds(firstPage)} ${seconds(beyond)} ${seconds(cpu)}`;
  const megabytesAtPeak = (peak / 1e6).toFixed(0).padStart(4);
  return `  ${nameOf(command).padEnd(52)} ${times} ${megabytesAtPeak} MB${mark(beyond <= maximumFirstPage)}`;
}

function seconds(value: number): string {
  return `${value.toFixed(2).padStart(6)} s`;
}

function amount({ clients, uploads }: Amount): string {
  return `${clients.toLocaleString('en')} clients and ${uploads.toLocaleString('en')} uploads`;
}

function megabytes({ now, peak }: Memory): string {
  return `${(now / 1e6).toFixed(0)} MB, ${(peak / 1e6).toFixed(0)} MB`;
}

function nameOf(command: string): string {
  return command === emptyList.join(' ') ? 'nothing' : command;
}

function mark(holds: boolean): string {
  return holds ? '' : '  MISSED';
}
