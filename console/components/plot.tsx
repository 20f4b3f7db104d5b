import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';

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
}

const size = { width: 600, height: 160, left: 44, right: 30, top: 8, bottom: 24 } as const;

/** A line over time, drawn on the server. The values are in a table below it as well. */
export function Plot({ title, description, points, from, until }: PlotProps) {
  const x = scaleUtc([from, until], [size.left, size.width - size.right]);
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const y = scaleLinear([0, highest], [size.height - size.bottom, size.top]).nice(4);
  const path = line<Point>(
    ({ at }) => x(at),
    ({ value }) => y(value),
  );
  const shade = area<Point>(
    ({ at }) => x(at),
    y(0),
    ({ value }) => y(value),
  );
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${title}: ${description}`}>
        {y
          .ticks(4)
          .filter(Number.isInteger)
          .map((value) => (
            <g>
              <line class="grid" x1={size.left} x2={size.width - size.right} y1={y(value)} y2={y(value)} />
              <text x={size.left - 6} y={y(value) + 4} text-anchor="end">
                {String(value)}
              </text>
            </g>
          ))}
        {x.ticks(4).map((time) => (
          <text x={x(time)} y={size.height - 6} text-anchor="middle">
            {timeLabel(time, until - from)}
          </text>
        ))}
        <path class="shade" d={shade([...points]) ?? ''} />
        <path class="line" d={path([...points]) ?? ''} />
      </svg>
    </figure>
  );
}

const dayMilliseconds = 86_400_000;

/** In UTC, which the axis of a plot says: a plot has no place for two. */
function timeLabel(time: Date, rangeMilliseconds: number): string {
  const text = time.toISOString();
  return rangeMilliseconds > 2 * dayMilliseconds ? text.slice(5, 10) : `${text.slice(11, 16)} UTC`;
}
