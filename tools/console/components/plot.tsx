interface PlotProps {
  /** Content of the bars in words, for screen readers. */
  readonly label: string;
  /**
   * Values over time, by the class of their bars. Drawn from back to front, so the greatest values come
   * first.
   */
  readonly bars: Readonly<Record<string, readonly number[]>>;
}

/** Bars over time, drawn on the server. Zero counts have no bar. */
export function Plot({ label, bars }: PlotProps) {
  const all = Object.values(bars);
  const max = Math.max(...all.flat());
  return max === 0 ? null : (
    <svg role="img" aria-label={label} viewBox={`0 0 ${all[0]?.length} 1`} preserveAspectRatio="none">
      {Object.entries(bars).map(([name, values]) => (
        <path class={name} d={values.map((value, index) => barOf(value / max, index)).join('')} />
      ))}
    </svg>
  );
}

/** Returns the path of a bar. A small value beside large values is still visible. */
function barOf(share: number, index: number): string {
  return share === 0 ? '' : `M${index} 1V${1 - Math.max(share, 1 / 85)}h.8V1z`;
}
