import { useRequestContext } from 'hono/jsx-renderer';
import { formatBytes } from '../../operator/text.ts';
import type { Env } from '../http/environment.ts';

/** A stretch of time, and what was counted in it. Several values are drawn on top of each other. */
export interface Bucket {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly values: readonly number[];
}

interface PlotProps {
  readonly title: string;
  /** In words: what the plot shows, for those who do not see it. */
  readonly description: string;
  /** Of the same length, one after the other. */
  readonly buckets: readonly Bucket[];
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** `formatBytes` for bytes, which are drawn in powers of two. */
  readonly format: (value: number) => string;
}

/** What the values are, from the bottom up: each is also the class of its bars. */
const parts = ['answered', 'refused'] as const;

/** Bars over time, drawn on the server. */
export function Plot(props: PlotProps) {
  const { title, buckets } = props;
  const highest = Math.max(...buckets.map(({ values }) => sum(values)));
  return (
    <figure class="card">
      <figcaption>
        <b>{title}</b>
        {isDivided(buckets) &&
          parts.map((part) => (
            <span class="muted">
              {' '}
              <span class={part} aria-hidden="true">
                ■
              </span>{' '}
              {part}
            </span>
          ))}
      </figcaption>
      {highest > 0 ? <Drawing {...props} highest={highest} /> : <p class="muted">Nothing in this time.</p>}
    </figure>
  );
}

function isDivided([first]: readonly Bucket[]): boolean {
  return first !== undefined && first.values.length > 1;
}

/** Of the part with the bars, in pixels. What is beside each other has a part of the width. */
const [top, height] = [8, 128] as const;

function Drawing(props: PlotProps & { readonly highest: number }) {
  const { title, description, buckets, until, format, highest } = props;
  const { clock } = useRequestContext<Env>().var;
  const step = tickStep(highest, format === formatBytes);
  const ticks = Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
  const most = ticks.at(-1) ?? step;
  const from = buckets[0]?.from ?? until;
  return (
    <svg role="img" aria-label={`${title}: ${description}`}>
      {ticks.map((value) => {
        const y = top + (1 - value / most) * height;
        return (
          <>
            <text x="12.5%" y={y + 4} text-anchor="end">
              {value === 0 ? '0' : format(value).replace('.0 ', ' ')}
            </text>
            <line x1="14%" x2="100%" y1={y} y2={y} />
          </>
        );
      })}
      <svg
        aria-hidden="true"
        x="14%"
        y={top}
        width="86%"
        height={height}
        viewBox={`0 0 ${buckets.length} ${most}`}
        preserveAspectRatio="none"
      >
        {buckets.map(({ from, values }, index) => (
          <svg x={index} width="0.8" height={most}>
            <title>
              {clock.short(from)}:{' '}
              {values
                .map((value, part) =>
                  isDivided(buckets) ? `${format(value)} ${parts[part]}` : format(value),
                )
                .join(', ')}
            </title>
            <Bars values={values} most={most} />
          </svg>
        ))}
      </svg>
      {(['start', 'middle', 'end'] as const).map((anchor, half) => (
        <text x={`${14 + 43 * half}%`} y={152} text-anchor={anchor}>
          {clock.short(from + (half / 2) * (until - from))}
        </text>
      ))}
    </svg>
  );
}

/** The bars of one stretch of time. A few of many are still seen. */
function Bars({ values, most }: { readonly values: readonly number[]; readonly most: number }) {
  return (
    <>
      <rect width="100%" height={most} opacity="0" />
      {values.map((value, part) => {
        const bar = value && Math.max(value, most / 85);
        return (
          <rect class={parts[part]} width="100%" y={most - sum(values.slice(0, part)) - bar} height={bar} />
        );
      })}
    </>
  );
}

/** Round steps, of which at most four fit: 1, 2 and 5 of what is counted, and powers of two of bytes. */
function tickStep(highest: number, areBytes: boolean): number {
  if (areBytes) {
    return 2 ** Math.max(0, Math.ceil(Math.log2(highest / 4)));
  }
  const power = 10 ** Math.max(0, Math.floor(Math.log10(highest / 4)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => highest / step <= 4) ?? 10 * power;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
