/** A series of a chart: a column of the table of numbers. */
export interface Series {
  readonly label: string;
  /** Number of the column, from 1. */
  readonly column: number;
  /** Value for the whole time, formatted. */
  readonly total?: string;
}

interface ChartProps {
  readonly title: string;
  /** Most important number. */
  readonly value: string;
  readonly about: string;
  readonly series: readonly Series[];
  /** Bars are stacked, the first series at the bottom. */
  readonly kind: 'bars' | 'lines';
  readonly unit: 'count' | 'bytes' | 'ms';
  /** Highest value of each period. */
  readonly heights: readonly number[];
}

/**
 * A chart with its numbers and its legend. The script draws it from the table of numbers. Without scripts, the
 * numbers stay.
 */
export function Chart({ title, value, about, series, kind, unit, heights }: ChartProps) {
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
        <span class="muted">{title}</span>
        <b>{value}</b>
        <span class="muted">
          {about}
          {end !== undefined && ' Higher values are cut, and shown at the top.'}
        </span>
        <span class="at muted" />
      </figcaption>
      <div class="plot" />
      <ul class="legend row muted">
        {series.map(({ label, total = '' }, index) => (
          <li>
            <i class={`mark ${kind} s${index}`} /> {label} <output data-total={total}>{total}</output>
          </li>
        ))}
      </ul>
    </figure>
  );
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
