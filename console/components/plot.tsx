import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import { round, TimeAxis } from './axis.tsx';
import { List } from './list.tsx';
import { Time } from './text.tsx';

/** One value at one time. */
export interface Point {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  /** In words: what the plot shows, for those who do not see it. */
  readonly description: string;
  readonly points: readonly Point[];
  /** Of the time axis, in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** How a value is written. */
  readonly format?: (value: number) => string;
  /** What several values are together, in the table: their sum, or the greatest. */
  readonly together?: 'sum' | 'greatest';
}

/** About as wide as it is shown, so that its text has the size of text. */
const size = { width: 380, height: 140, left: 56, right: 8, top: 10, bottom: 24 } as const;

/** A line over time, drawn on the server. The values are in a table below it as well. */
export function Plot(props: PlotProps) {
  const { title, description, points, format = String } = props;
  const highest = Math.max(0, ...points.map(({ value }) => value));
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      {highest === 0 ? (
        <p class="hint nothing">Nothing in this time.</p>
      ) : (
        <>
          <Picture {...props} highest={highest} label={`${title}: ${description}`} />
          <details>
            <summary>
              Values<span class="unseen"> of {title}</span>
            </summary>
            <List
              label={`Values: ${title}`}
              columns={[
                { heading: 'From', cell: ({ at }) => <Time of={new Date(at).toISOString()} /> },
                { heading: 'Value', cell: ({ value }) => format(value), align: 'right' },
              ]}
              rows={rowsOf(props)}
            />
          </details>
        </>
      )}
    </figure>
  );
}

function Picture(props: PlotProps & { readonly highest: number; readonly label: string }) {
  const { points, from, until, format = String, highest, label } = props;
  const x = scaleUtc([from, until], [size.left, size.width - size.right]);
  const y = scaleLinear([0, highest], [size.height - size.bottom, size.top]).nice(3);
  const path = line<Point>(
    ({ at }) => x(at),
    ({ value }) => y(value),
  ).digits(1);
  const shade = area<Point>(
    ({ at }) => x(at),
    y(0),
    ({ value }) => y(value),
  ).digits(1);
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      {y
        .ticks(3)
        .filter(Number.isInteger)
        .map((value) => (
          <g>
            <line
              class="grid"
              x1={size.left}
              x2={size.width - size.right}
              y1={round(y(value))}
              y2={round(y(value))}
            />
            <text x={size.left - 6} y={round(y(value) + 4)} text-anchor="end">
              {format(value)}
            </text>
          </g>
        ))}
      <TimeAxis scale={x} y={size.height - 6} />
      <path class="shade" d={shade([...points]) ?? ''} />
      <path class="line" d={path([...points]) ?? ''} />
    </svg>
  );
}

/** The table is for reading, so it has no more rows than a person reads. */
const mostRows = 14;

function rowsOf({ points, together = 'sum' }: PlotProps): readonly Point[] {
  const perRow = Math.ceil(points.length / mostRows);
  return Array.from({ length: Math.ceil(points.length / perRow) }, (_, row) => {
    const part = points.slice(row * perRow, (row + 1) * perRow);
    const values = part.map(({ value }) => value);
    const value = together === 'sum' ? values.reduce((sum, one) => sum + one, 0) : Math.max(...values);
    return { at: part[0]?.at ?? 0, value };
  });
}
