import { useRequestContext } from 'hono/jsx-renderer';
import type { Env } from '../http/environment.ts';

/** What was counted over time. Its name is also the class of its bars. */
interface Counted {
  readonly name: string;
  /** One value for each of the times. */
  readonly values: readonly number[];
}

interface PlotProps {
  /** What the plot shows, in words, for screen readers. */
  readonly description: string;
  /** When each value begins, in milliseconds since the epoch. */
  readonly times: readonly number[];
  /** Drawn from the back to the front, so the greatest values come first. */
  readonly series: readonly Counted[];
  readonly format: (value: number) => string;
}

/** Bars over time, drawn on the server. Nothing is drawn where nothing was counted. */
export function Plot({ description, times, series, format }: PlotProps) {
  const { clock } = useRequestContext<Env>().var;
  const most = Math.max(...series.flatMap(({ values }) => values));
  if (most === 0) {
    return null;
  }
  return (
    <>
      <svg role="img" aria-label={description} viewBox={`0 0 ${times.length} 1`} preserveAspectRatio="none">
        {series.map(({ name, values }) => (
          <path class={name} d={values.map((value, index) => barOf(value / most, index)).join('')} />
        ))}
      </svg>
      <span class="row apart muted">
        <span>Since {clock.short(times[0] ?? 0)}</span>
        <span>Highest bar: {format(most)}</span>
      </span>
    </>
  );
}

/** The path of a bar. A small value beside large ones still has a visible bar. */
function barOf(share: number, index: number): string {
  return share === 0 ? '' : `M${index} 1V${1 - Math.max(share, 1 / 85)}h.8V1z`;
}
