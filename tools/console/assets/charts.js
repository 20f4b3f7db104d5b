// Draws the charts of the overview with uPlot. The first series of a chart has bars, and each other its own line.

// Each colour has a contrast of at least 3:1 on a light and on a dark ground.
const styles = [
  { stroke: '#3b74e8', fill: '#3b74e8', paths: uPlot.paths.bars() },
  { stroke: '#b8690a', dash: [8, 4] },
  { stroke: '#d8404e', dash: [2, 3] },
  { stroke: '#2a9154', dash: [12, 3, 2, 3] },
];
const borders = ['solid', 'dashed', 'dotted', 'double'];

function draw(figure) {
  const { zone, since, until, period, values, metrics } = JSON.parse(figure.parentElement.dataset.activity);
  const shown = figure.dataset.metrics.split(' ');
  const { unit = '' } = metrics[shown[0]];
  const [scale, shownUnit] = unit === 'bytes' ? [2 ** 20, 'MiB'] : [1, unit];
  const numberOf = (value) => (value === null ? '' : `${value.toLocaleString('en-GB')} ${shownUnit}`);
  const options = { timeZone: zone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  const { format } = new Intl.DateTimeFormat('en-GB', options);
  // Contains the day only where a new one begins.
  const timeOf = (text, index, all) => {
    const [day, time] = text.split(', ');
    return all[index - 1]?.startsWith(day) ? time : `${time}\n${day}`;
  };
  const axis = { stroke: getComputedStyle(figure).color, grid: { stroke: '#8883' } };
  const chart = new uPlot(
    {
      width: figure.firstElementChild.clientWidth,
      height: 190,
      ms: 1,
      tzDate: (time) => uPlot.tzDate(new Date(time), zone),
      legend: { markers: { dash: (_, index) => borders[index - 1] } },
      cursor: { y: false, drag: { x: false, click() {} }, sync: { key: 'overview' } },
      scales: {
        x: { range: [since, until] },
        y: { range: (_, __, max) => [0, max || 1] },
      },
      axes: [
        { ...axis, values: (_, times) => times.map(format).map(timeOf) },
        { ...axis, size: 75, values: (_, numbers) => numbers.map(numberOf) },
      ],
      series: [
        { label: 'From', value: (_, time) => format(time === null ? since : time - period / 2) },
        ...shown.map((name, index) => ({
          ...styles[index],
          label: metrics[name].label,
          width: 2,
          points: { show: false },
          value: (_, value) => numberOf(value) || metrics[name].total,
        })),
      ],
    },
    // The middle of a period, so that the cursor finds the bar under it.
    [
      values[shown[0]].map((_, index) => since + (index + 0.5) * period),
      ...shown.map((name) => values[name].map((value) => value / scale)),
    ],
    figure,
  );
  chart.over.addEventListener('click', () => {
    document.querySelectorAll('#activity tbody a')[chart.cursor.idx].click();
  });
}

/** Draws all charts again: their numbers, width or colours have changed. */
function drawAll() {
  for (const chart of [...uPlot.sync('overview').plots]) {
    chart.destroy();
  }
  document.querySelectorAll('[data-metrics]').forEach(draw);
}

drawAll();
document.addEventListener('htmx:afterSwap', drawAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
addEventListener('resize', drawAll);
