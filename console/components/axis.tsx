import type { ScaleTime } from 'd3-scale';

const dayMilliseconds = 86_400_000;

/** Times below a picture. The script shows them in the reader's zone; without it they are in UTC. */
export function TimeAxis({
  scale,
  y,
  count = 4,
}: {
  readonly scale: ScaleTime<number, number>;
  readonly y: number;
  readonly count?: number;
}) {
  const [from, until] = scale.domain();
  const [, right = 0] = scale.range();
  const hasDays = Number(until) - Number(from) > 2 * dayMilliseconds;
  return (
    <>
      {scale.ticks(count).map((time) => (
        <text
          x={round(scale(time))}
          y={y}
          text-anchor={anchorWithin(scale(time), right)}
          data-tick={time.toISOString()}
          data-days={hasDays ? '' : undefined}
        >
          {tickLabel(time, hasDays)}
        </text>
      ))}
    </>
  );
}

/** How a text at a place stays within a picture, whose axis ends at `right`. Most texts are in the middle of their place. */
export function anchorWithin(x: number, right: number): 'start' | 'middle' | 'end' {
  return x < 28 ? 'start' : x > right - 20 ? 'end' : 'middle';
}

function tickLabel(time: Date, hasDays: boolean): string {
  const text = time.toISOString();
  return hasDays ? text.slice(5, 10) : `${text.slice(11, 16)} UTC`;
}

/** A tenth of a unit is less than a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
