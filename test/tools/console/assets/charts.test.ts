import { Window } from 'happy-dom';

/** Tests the charts that the script passes to uPlot. uPlot draws on a canvas, which only a browser has. */

const page = `<div id="activity" data-activity='{
    "zone": "Asia/Tokyo", "since": 1769781600000, "until": 1769792400000, "period": 3600000,
    "values": { "done": [3, 0, 7], "failed": [0, 2, 1], "size": [1048576, 0, 3145728] },
    "metrics": {
      "done": { "label": "Done", "total": "10" },
      "failed": { "label": "Failed", "total": "3" },
      "size": { "label": "Size", "total": "4 MiB", "unit": "bytes" }
    }
  }'>
  <figure data-metrics="done failed"><p></p></figure>
  <figure data-metrics="size"><p></p></figure>
  <table><tbody><tr><td><a></a><a id="second"></a></td></tr></tbody></table>
</div>`;
const [start, hour] = [1_769_781_600_000, 3_600_000];

/** Runs the script in a page with two charts. */
async function open() {
  const { document, Event } = new Window();
  document.write(page);
  const plots: Plot[] = [];
  class Plot {
    static readonly paths = { bars: () => 'bars' };
    static readonly sync = () => ({ plots });
    static readonly tzDate = (date: Date, zone: string) => `${date.toISOString()} ${zone}`;
    readonly over = new EventTarget();
    readonly cursor = { idx: 1 };
    readonly passed: readonly object[];
    readonly destroy = () => plots.splice(plots.indexOf(this), 1);
    constructor(...passed: readonly object[]) {
      this.passed = passed;
      plots.push(this);
    }
  }
  const browser = new EventTarget();
  vi.stubGlobal('document', document);
  vi.stubGlobal('uPlot', Plot);
  vi.stubGlobal('matchMedia', () => browser);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('getComputedStyle', () => ({ color: 'black' }));
  vi.resetModules();
  // @ts-expect-error: a script for browsers has no types.
  await import('../../../../tools/console/assets/charts.js');
  return { document, plots, browser, Event };
}

test('a chart has numbers, units, times and totals', async () => {
  const { plots } = await open();
  const shown = plots.map(({ passed: [options, data] }) => {
    const { scales, axes, series, legend, tzDate } = Object(options);
    const [times, numbers] = axes;
    return {
      data,
      range: scales.x.range,
      heights: [7, 0].map((max) => scales.y.range(0, 0, max)),
      times: times.values(0, [start, start + hour, start + 5 * hour]),
      numbers: numbers.values(0, [1, 1234]),
      series: Object.values<ReturnType<typeof Object>>(series).map(({ label, stroke, value }) => [
        label,
        stroke,
        value(0, start + hour),
        value(0, null),
      ]),
      lines: [1, 2].map((index) => legend.markers.dash(0, index)),
      start: tzDate(start),
    };
  });
  const [requests, bytes] = shown;
  expect(requests).toMatchInlineSnapshot(`
    {
      "data": [
        [
          1769783400000,
          1769787000000,
          1769790600000,
        ],
        [
          3,
          0,
          7,
        ],
        [
          0,
          2,
          1,
        ],
      ],
      "heights": [
        [
          0,
          7,
        ],
        [
          0,
          1,
        ],
      ],
      "lines": [
        "solid",
        "dashed",
      ],
      "numbers": [
        "1 ",
        "1,234 ",
      ],
      "range": [
        1769781600000,
        1769792400000,
      ],
      "series": [
        [
          "From",
          undefined,
          "30 Jan, 23:30",
          "30 Jan, 23:00",
        ],
        [
          "Done",
          "#3b74e8",
          "1,769,785,200,000 ",
          "10",
        ],
        [
          "Failed",
          "#b8690a",
          "1,769,785,200,000 ",
          "3",
        ],
      ],
      "start": "2026-01-30T14:00:00.000Z Asia/Tokyo",
      "times": [
        "23:00
    30 Jan",
        "00:00
    31 Jan",
        "04:00",
      ],
    }
  `);
  expect(bytes).toMatchObject({
    data: [expect.anything(), [1, 0, 3]],
    numbers: ['1 MiB', '1,234 MiB'],
    series: [expect.anything(), ['Size', '#3b74e8', expect.stringMatching(/ MiB$/), '4 MiB']],
  });
});

test('a click on a chart opens the requests of the period', async () => {
  const { plots, document } = await open();
  const followed = vi.fn();
  document.querySelector('#second')?.addEventListener('click', followed);
  plots[1]?.over.dispatchEvent(new Event('click'));
  expect(followed).toHaveBeenCalledOnce();
});

test.for(['htmx:afterSwap', 'change', 'resize'])('the charts are drawn again after %s', async (type) => {
  const { plots, document, browser, Event: PageEvent } = await open();
  const [before] = plots;
  document.dispatchEvent(new PageEvent(type));
  browser.dispatchEvent(new Event(type));
  expect(plots).toHaveLength(2);
  expect(plots).not.toContain(before);
});
