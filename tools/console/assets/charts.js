// Draws the charts of the overview with uPlot, from the table of numbers.

const zone = document.querySelector('[data-zone]')?.dataset.zone ?? 'UTC';
const formatOf = (options) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
const [clockFormat, dayFormat, fullFormat] = [
  formatOf({ timeStyle: 'short' }),
  formatOf({ day: 'numeric', month: 'short' }),
  formatOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
];

/** Formats of numbers, and steps of their axes. A duration may be unknown. */
const units = {
  count: {
    text: (value) => value.toLocaleString('en-GB'),
    short: (value) => value.toLocaleString('en-GB', { notation: 'compact' }),
    steps: Array.from({ length: 30 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3)),
  },
  ms: {
    text: (value) => `${value.toLocaleString('en-GB')} ms`,
    short: (value) => (value < 1000 ? `${value} ms` : `${Math.round(value / 100) / 10} s`),
    steps: Array.from({ length: 30 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3)),
  },
  bytes: {
    text: (value) => shortBytes(value),
    short: (value) => shortBytes(value),
    steps: Array.from({ length: 50 }, (_, at) => 2 ** at),
  },
};

function shortBytes(value) {
  const size = Math.min(Math.floor(Math.log2(Math.max(value, 1)) / 10), 4);
  const shown = (value / 1024 ** size).toFixed(1).replace(/\.0$/, '');
  return `${shown} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][size]}`;
}

/** Reads the rows of the table: their times, links and numbers. */
function readTable(table) {
  const rows = [...table.tBodies[0].rows];
  return {
    period: Number(table.dataset.period),
    times: rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1000),
    links: rows.map((row) => row.querySelector('a').href),
    column: (index) =>
      rows.map(({ cells: { [index]: cell } }) => (cell.textContent === '' ? null : Number(cell.textContent))),
  };
}

const dashes = [[], [8, 4], [2, 3], [12, 3, 2, 3]];

/** Returns a fill: solid, hatched, or striped upright. The gaps hide the bars behind. */
function fillOf(color, ground, index) {
  if (index === 0) {
    return color;
  }
  const tile = Object.assign(document.createElement('canvas'), { width: 6, height: 6 });
  const context = tile.getContext('2d');
  context.fillStyle = ground;
  context.fillRect(0, 0, 6, 6);
  context.strokeStyle = color;
  context.lineWidth = 3;
  context.beginPath();
  for (const at of [-6, 0, 6]) {
    context.moveTo(index === 1 ? at : 3, 6);
    context.lineTo(index === 1 ? at + 6 : 3, 0);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat');
}

/** Returns the labels of the times: days, or hours with the day at midnight. */
function timeLabels(_, times, __, ___, step) {
  return times.map((time) => {
    const at = new Date(time * 1000);
    const clock = clockFormat.format(at);
    return step >= 86_400 || clock === '00:00' ? dayFormat.format(at) : clock;
  });
}

/** Draws one chart. @returns the uPlot */
function draw(figure, { period, times, links, column }) {
  const { columns, kind, unit, end } = figure.dataset;
  const { text, short, steps } = units[unit];
  const values = columns.split(',').map((index) => column(Number(index)));
  const isBars = kind === 'bars';
  const totals = times.map((_, at) =>
    isBars ? values.reduce((sum, one) => sum + one[at], 0) : Math.max(...values.map((one) => one[at])),
  );
  const top = Number(end) || Math.max(...totals) * 1.08 || 1;
  // A small value beside large values is still visible.
  const shown = values.map((one) => one.map((value) => value && Math.max(value, top / 85)));
  const heights = shown.map((one, index) =>
    one.map((value, at) =>
      isBars && value !== null ? shown.slice(0, index + 1).reduce((sum, each) => sum + each[at], 0) : value,
    ),
  );
  const marks = [...figure.querySelectorAll('.mark')].map((mark) => getComputedStyle(mark).color);
  const { backgroundColor: ground, color: ink } = getComputedStyle(figure);
  const muted = getComputedStyle(figure.querySelector('.muted')).color;
  const grid = { stroke: getComputedStyle(figure).borderTopColor, width: 1 };
  const series = heights.map((_, index) =>
    isBars
      ? {
          fill: fillOf(marks[index], ground, index),
          width: 0,
          paths: uPlot.paths.bars({ size: [0.85, 60] }),
          points: { show: false },
        }
      : { stroke: marks[index], width: 2, dash: dashes[index], points: { show: false } },
  );
  const plot = figure.querySelector('.plot');
  plot.replaceChildren();
  const outputs = [...figure.querySelectorAll('output')];
  const label = figure.getAttribute('aria-label');
  const last = times.length - 1;
  const showAt = ({ cursor: { idx } }) => {
    const isAt = idx !== null && idx !== undefined;
    for (const [index, output] of outputs.entries()) {
      const value = isAt ? values[index][idx] : undefined;
      output.textContent = isAt ? (value === null ? 'none' : text(value)) : output.dataset.total;
    }
    const at = isAt ? fullFormat.format(times[idx] * 1000) : '';
    figure.querySelector('.at').textContent = at;
    plot.setAttribute('aria-valuenow', idx ?? 0);
    plot.setAttribute(
      'aria-valuetext',
      isAt ? `${at}: ${outputs.map((output) => output.parentElement.textContent.trim()).join(', ')}` : label,
    );
  };
  const writeCut = ({ ctx, bbox, valToPos }) => {
    ctx.fillStyle = ink;
    ctx.textAlign = 'center';
    for (const [at, total] of totals.entries()) {
      if (end && total > top) {
        ctx.fillText(`↑ ${short(total)}`, valToPos(times[at] + period / 2, 'x', true), bbox.top - 6);
      }
    }
  };
  const axis = { stroke: muted, grid, ticks: grid, font: `12px ${getComputedStyle(figure).fontFamily}` };
  // The series of bars are stacked, so the highest is drawn first.
  const order = isBars ? [...heights.keys()].reverse() : [...heights.keys()];
  const chart = new uPlot(
    {
      width: plot.clientWidth,
      height: plot.clientHeight,
      padding: [end ? 20 : 8, 12, 0, 0],
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), zone),
      legend: { show: false },
      cursor: { y: false, drag: { x: false }, points: { show: !isBars }, sync: { key: 'overview' } },
      scales: {
        x: { range: [times[0], times.at(-1) + period] },
        y: { range: [0, top] },
      },
      axes: [
        { ...axis, values: timeLabels, space: 60, size: 30 },
        { ...axis, incrs: steps, values: (_, splits) => splits.map(short), size: 62, space: 26 },
      ],
      series: [{}, ...order.map((index) => series[index])],
      hooks: { setCursor: [showAt], draw: [writeCut] },
    },
    [times.map((time) => time + period / 2), ...order.map((index) => heights[index])],
    plot,
  );
  const openRequests = () => {
    const { idx } = chart.cursor;
    if (idx !== null && idx !== undefined) {
      location.assign(links[idx]);
    }
  };
  chart.over.addEventListener('click', openRequests);
  plot.onkeydown = (event) => {
    const { idx } = chart.cursor;
    const next = { ArrowLeft: (idx ?? times.length) - 1, ArrowRight: (idx ?? -1) + 1, Home: 0, End: last }[
      event.key
    ];
    if (next !== undefined) {
      event.preventDefault();
      const left = chart.valToPos(times[Math.min(Math.max(next, 0), last)] + period / 2, 'x');
      chart.setCursor({ left, top: 10 });
    } else if (event.key === 'Enter') {
      openRequests();
    }
  };
  const slider = {
    role: 'slider',
    tabindex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': last,
  };
  for (const [name, value] of Object.entries(slider)) {
    plot.setAttribute(name, value);
  }
  showAt(chart);
  return chart;
}

let charts = [];

/** Draws all charts again: their numbers, the width or the colours have changed. */
function drawAll() {
  for (const chart of charts) {
    chart.destroy();
  }
  const table = document.querySelector('table[data-period]');
  const numbers = table && readTable(table);
  charts = table ? [...document.querySelectorAll('.chart')].map((figure) => draw(figure, numbers)) : [];
}

drawAll();
document.addEventListener('htmx:afterSwap', ({ detail: { target } }) => {
  if (target.id === 'activity') {
    drawAll();
  }
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
let width = innerWidth;
addEventListener('resize', () => {
  // A phone also resizes the window when its address bar hides.
  if (width !== innerWidth) {
    width = innerWidth;
    drawAll();
  }
});
