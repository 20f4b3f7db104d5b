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
}

/** About as wide as it is shown, so that its text has the size of text. */
const size = { width: 380, height: 140, left: 56, right: 8, top: 10, bottom: 24 } as const;

/** A line over time, drawn on the server. */
export function Plot(props: PlotProps) {
  const { title, description, points } = props;
  const highest = Math.max(0, ...points.map(({ value }) => value));
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      {highest === 0 ? (
        <p class="hint">Nothing in this time.</p>
      ) : (
        <Picture {...props} highest={highest} label={`${title}: ${description}`} />
      )}
    </figure>
  );
}

function Picture(props: PlotProps & { readonly highest: number; readonly label: string }) {
  const { points, from, until, format = String, highest, label } = props;
  const right = size.width - size.right;
  const bottom = size.height - size.bottom;
  const x = (at: number) => round(size.left + ((at - from) / (until - from)) * (right - size.left));
  const y = (value: number) => round(bottom - (value / highest) * (bottom - size.top));
  const path = points.map(({ at, value }) => `${x(at)},${y(value)}`).join('L');
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      {[0, highest].map((value) => (
        <g>
          <line class="grid" x1={size.left} x2={right} y1={y(value)} y2={y(value)} />
          <text x={size.left - 6} y={round(y(value) + 4)} text-anchor="end">
            {format(value)}
          </text>
        </g>
      ))}
      {timesBetween(from, until).map((at) => (
        <Tick at={at} x={x(at)} hasDays={until - from > 2 * day} />
      ))}
      <path
        class="shade"
        d={`M${x(first?.at ?? from)},${bottom}L${path}L${x(last?.at ?? until)},${bottom}Z`}
      />
      <path class="line" d={`M${path}`} />
    </svg>
  );
}

const hour = 3_600_000;
const day = 24 * hour;

/** Round times, of which about four fit. */
function timesBetween(from: number, until: number): readonly number[] {
  const step = [hour / 4, hour, 6 * hour, day].find((each) => (until - from) / each <= 4) ?? 2 * day;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((until - first) / step) + 1 }, (_, index) => first + index * step);
}

/** A time below the plot. The script shows it in the reader's zone; without it, it is in UTC. */
function Tick({ at, x, hasDays }: { readonly at: number; readonly x: number; readonly hasDays: boolean }) {
  const text = new Date(at).toISOString();
  const anchor = x > size.width - 28 ? 'end' : 'middle';
  return (
    <text
      x={x}
      y={size.height - 6}
      text-anchor={anchor}
      data-tick={text}
      data-days={hasDays ? '' : undefined}
    >
      {hasDays ? text.slice(5, 10) : `${text.slice(11, 16)} UTC`}
    </text>
  );
}

/** A tenth of a unit is less than a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
