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

/** Of the drawing, in pixels. What is beside each other has a part of the width. */
const [top, bottom, labels] = [8, 136, 152] as const;

/** Beside the labels of the values, in percent. */
const plotWidth = 86;

function across(part: number): string {
  return `${round(100 - plotWidth * (1 - part))}%`;
}

/** Bars over time, drawn on the server. */
export function Plot(props: PlotProps) {
  const { title, description, buckets, until, format } = props;
  const { clock } = useRequestContext<Env>().var;
  const highest = Math.max(...buckets.map(({ values }) => sum(values)));
  if (buckets.length === 0 || highest <= 0) {
    return (
      <figure class="card plot">
        <figcaption>
          <b>{title}</b>
        </figcaption>
        <p class="muted">Nothing in this time.</p>
      </figure>
    );
  }
  const step = tickStep(highest, format === formatBytes);
  const ticks = Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
  const most = ticks.at(-1) ?? step;
  const y = (value: number) => round(bottom - (value / most) * (bottom - top));
  const from = buckets[0]?.from ?? until;
  const isDivided = (buckets[0]?.values.length ?? 0) > 1;
  return (
    <figure class="card plot">
      <figcaption>
        <b>{title}</b>
        {isDivided &&
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
      <svg role="img" aria-label={`${title}: ${description}`}>
        {ticks.map((value) => (
          <>
            <text x={across(-0.015)} y={y(value) + 4} text-anchor="end">
              {value === 0 ? '0' : format(value).replace('.0 ', ' ')}
            </text>
            <line x1={across(0)} x2="100%" y1={y(value)} y2={y(value)} />
          </>
        ))}
        {buckets.map((bucket, index) => (
          <Bars
            bucket={bucket}
            left={across(index / buckets.length)}
            width={`${round((0.8 * plotWidth) / buckets.length)}%`}
            y={y}
            label={`${clock.short(bucket.from)}: ${bucket.values.map((value, part) => (isDivided ? `${format(value)} ${parts[part]}` : format(value))).join(', ')}`}
          />
        ))}
        {(['start', 'middle', 'end'] as const).map((anchor, half) => (
          <text x={across(half / 2)} y={labels} text-anchor={anchor}>
            {clock.short(from + (half / 2) * (until - from))}
          </text>
        ))}
      </svg>
    </figure>
  );
}

interface BarsProps {
  readonly bucket: Bucket;
  readonly left: string;
  readonly width: string;
  readonly y: (value: number) => number;
  readonly label: string;
}

/** The bars of one stretch of time. A few of many are still seen. */
function Bars({ bucket: { values }, left, width, y, label }: BarsProps) {
  return (
    <g class="bucket">
      <title>{label}</title>
      <rect x={left} width={width} y={top} height={bottom - top} opacity="0" />
      {values.map((value, part) => {
        const below = sum(values.slice(0, part));
        const height = Math.max(round(y(below) - y(below + value)), 1.5);
        return (
          value > 0 && (
            <rect
              class={parts[part]}
              x={left}
              width={width}
              y={round(y(below) - height)}
              height={height}
              rx="1.5"
            />
          )
        );
      })}
    </g>
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

/** A hundredth of a unit is less than a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
