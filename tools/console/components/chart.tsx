import { formatBytes } from '../../operator/text.ts';

/** A series of a chart: a column of the table of numbers. */
export interface Series {
  readonly label: string;
  /** Number of the column, from 1. */
  readonly column: number;
  /** A value for each period. Undefined: no data. */
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly title: string;
  /** Most important number. */
  readonly value: string;
  readonly about: string;
  readonly series: readonly Series[];
  /** Bars are stacked, the first series at the bottom. */
  readonly kind: 'bars' | 'lines';
  readonly unit: Unit;
}

type Unit = 'count' | 'bytes' | 'ms';

/** A chart with its numbers and its legend. The script draws it from the table of numbers. */
export function Chart({ title, value, about, series, kind, unit }: ChartProps) {
  const heights = (series[0]?.values ?? []).map((_, at) => {
    const values = series.map((one) => one.values[at] ?? 0);
    return kind === 'bars' ? sum(values) : Math.max(...values);
  });
  const end = axisEnd(heights);
  return (
    <figure
      class="card chart"
      aria-label={title}
      data-columns={series.map(({ column }) => column).join()}
      data-kind={kind}
      data-unit={unit}
      data-end={end}
    >
      <figcaption>
        <span class="muted">{title}</span> <b>{value}</b> <span class="muted">{about}</span>
      </figcaption>
      {end !== undefined && (
        <p class="muted">
          The chart is cut at {textOf(end, unit)}. The highest value is {textOf(Math.max(...heights), unit)}.
        </p>
      )}
      <div class="plot" />
      <ul class="legend row muted">
        {series.map(({ label, values }, index) => (
          <li>
            <i class={`mark ${kind} s${index}`} /> {label}{' '}
            <output>{unit === 'ms' ? '' : textOf(sum(values), unit)}</output>
          </li>
        ))}
        <li class="at" />
      </ul>
    </figure>
  );
}

/** Formats a number of a chart. */
export function textOf(value: number, unit: Unit): string {
  return unit === 'bytes'
    ? formatBytes(value)
    : `${Math.round(value).toLocaleString('en-GB')}${unit === 'ms' ? ' ms' : ''}`;
}

function sum(values: Series['values']): number {
  return values.reduce<number>((total, value = 0) => total + value, 0);
}

/** A peak is cut if it is this many times higher than nine in ten values. */
const peak = 4;

/**
 * Returns the end of the axis if a few peaks would flatten all other values. Undefined: the axis ends at the
 * highest value.
 */
export function axisEnd(heights: readonly number[]): number | undefined {
  const values = heights.filter((height) => height > 0).sort((a, b) => a - b);
  const common = values[Math.floor(values.length * 0.9) - 1] ?? 0;
  const isFlattened = values.length >= 10 && (values.at(-1) ?? 0) > peak * common;
  return isFlattened ? Math.ceil(1.5 * common) : undefined;
}
