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
  /** What the plot shows, in words, for screen readers. */
  readonly description: string;
  /** All buckets have the same length, and follow one another without a gap. */
  readonly buckets: readonly Bucket[];
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** `formatBytes` for bytes, which are drawn in powers of two. */
  readonly format: (value: number) => string;
}

/** The parts of a bar, from the bottom up. Each name is also the class of its rectangle. */
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

/** Top and height of the bars, in pixels. Horizontal lengths are shares of the width. */
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

/** The bars of one stretch of time. A small value beside large ones still has a visible bar. */
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

/** The step of the axis, of which at most four fit: 1, 2, 5, 10 ... for counts, and powers of two for bytes. */
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
