// Draws the charts of the overview with uPlot, from the table of numbers.

const zone = document.querySelector('[data-zone]')?.dataset.zone ?? 'UTC';
const formatOf = (options) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  return (seconds) => format.format(seconds * 1000);
};
const clockOf = formatOf({ timeStyle: 'short' });
const dayOf = formatOf({ day: 'numeric', month: 'short' });

function bytesText(value) {
  const size = Math.min(Math.floor(Math.log2(value || 1) / 10), 4);
  return `${Math.round((value / 1024 ** size) * 10) / 10} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][size]}`;
}

const decimals = Array.from({ length: 40 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3));
const powers = Array.from({ length: 50 }, (_, at) => 2 ** at);

/** Formats of numbers, and steps of their axes. */
const units = {
  count: [(value) => value.toLocaleString('en-GB'), decimals],
  ms: [(value) => `${value.toLocaleString('en-GB')} ms`, decimals],
  bytes: [bytesText, powers],
};

/** Lines of the series. A series of bars is solid, or only an outline. */
const dashes = [[], [8, 4], [2, 3], [12, 3, 2, 3]];

/** Draws one chart. @returns the uPlot */
function draw(figure, table) {
  const rows = [...table.tBodies[0].rows];
  const times = rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1000);
  const period = Number(table.dataset.period);
  const { columns, kind, unit, end } = figure.dataset;
  const isBars = kind === 'bars';
  const [text, incrs] = units[unit];
  const valueOf = ({ textContent }) => (textContent === '' ? null : Number(textContent));
  const values = columns.split(',').map((column) => rows.map(({ cells }) => valueOf(cells[column])));
  const stacked = values.map((one, index) =>
    isBars ? one.map((_, at) => values.slice(0, index + 1).reduce((sum, each) => sum + each[at], 0)) : one,
  );
  const top = Number(end) || Math.max(...stacked.flat()) * 1.08 || 1;
  const { backgroundColor: ground, borderTopColor: edge, fontFamily } = getComputedStyle(figure);
  const { color: muted } = getComputedStyle(figure.querySelector('.muted'));
  const series = [...figure.querySelectorAll('.mark')].map((mark, index) => {
    const { color } = getComputedStyle(mark);
    const bars = { fill: index === 1 ? ground : color, width: 1.5, paths: uPlot.paths.bars({ size: [0.8, 60] }) };
    const shape = isBars ? bars : { width: 2, dash: dashes[index] };
    return { ...shape, stroke: color, points: { show: false } };
  });
  // The highest bars are drawn first.
  const order = isBars ? [...series.keys()].reverse() : [...series.keys()];
  const outputs = [...figure.querySelectorAll('output')];
  const totals = outputs.map((output) => output.textContent);
  const showValues = ({ cursor: { idx } }) => {
    const isAt = idx !== null && idx !== undefined;
    for (const [index, output] of outputs.entries()) {
      const value = isAt ? values[index][idx] : undefined;
      output.textContent = isAt ? (value === null ? 'no data' : text(value)) : totals[index];
    }
    figure.querySelector('.at').textContent = isAt ? `${dayOf(times[idx])}, ${clockOf(times[idx])}` : '';
  };
  const labelsOf = (_, splits, __, ___, step) =>
    splits.map((time) => (step >= 86_400 || clockOf(time) === '00:00' ? dayOf(time) : clockOf(time)));
  const grid = { stroke: edge, width: 1 };
  const axis = { stroke: muted, grid, ticks: grid, font: `12px ${fontFamily}` };
  const plot = figure.querySelector('.plot');
  const chart = new uPlot(
    {
      width: plot.clientWidth,
      height: plot.clientHeight,
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), zone),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, click: () => undefined }, points: { show: false }, sync: { key: 'overview' } },
      scales: { x: { range: [times[0], times.at(-1) + period] }, y: { range: [0, top] } },
      axes: [
        { ...axis, values: labelsOf, space: 60, size: 30 },
        { ...axis, values: (_, splits) => splits.map(text), incrs, size: 70, space: 26 },
      ],
      series: [{}, ...order.map((index) => series[index])],
      hooks: { setCursor: [showValues] },
    },
    // The middle of a period, so that the cursor finds the bar under it.
    [times.map((time) => time + period / 2), ...order.map((index) => stacked[index])],
    plot,
  );
  chart.over.addEventListener('click', () => {
    const row = rows[chart.cursor.idx];
    if (row !== undefined) {
      location.assign(row.querySelector('a').href);
    }
  });
  return chart;
}

let charts = [];
let isOpen = false;

// A new part keeps the table open.
const toggled = ({ target }) => {
  if (target.matches('#activity details')) {
    isOpen = target.open;
  }
};
document.addEventListener('toggle', toggled, true);

/** Draws all charts again: their numbers, their width or the colours have changed. */
function drawAll() {
  for (const chart of charts) {
    chart.destroy();
  }
  const table = document.querySelector('table[data-period]');
  if (isOpen) {
    table.closest('details').open = true;
  }
  charts = [...document.querySelectorAll('.chart')].map((figure) => draw(figure, table));
}

drawAll();
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target.id === 'activity') {
    drawAll();
  }
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
addEventListener('resize', drawAll);
