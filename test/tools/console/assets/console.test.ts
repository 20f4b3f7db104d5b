import { type HTMLInputElement, Window } from 'happy-dom';

const noon = Date.parse('2026-01-31T12:00:00Z');
const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A page with every element that the script knows. */
const page = `<body>
  <div class="top"><input></div>
  <button data-zone="UTC"></button>
  <search><form><select></select><input id="since"></form></search>
  <main>
    <table>
      <tr><th><input type="checkbox"></th></tr>
      <tr>
        <td class="pick"><input type="checkbox"></td>
        <td><a class="main" href="#main"></a><a id="other" href="#other"></a><b>text</b></td>
      </tr>
    </table>
    <div id="part" hx-trigger="every 5s">
      <button data-copy="client_1"></button><a id="named"></a><a href="/files/file_1"></a>
    </div>
    <div id="once" hx-trigger="load"></div>
  </main>
  <p id="stale" hidden></p>
</body>`;

beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date', 'setInterval', 'setTimeout'] }));

/** Runs the script in a new page. */
async function open(html = page) {
  const { document, navigator, Event } = new Window({ url: 'http://127.0.0.1:3000' });
  document.write(html);
  const [reload, selection] = [vi.fn(), { isCollapsed: true }];
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('Event', Event);
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('getSelection', () => selection);
  vi.resetModules();
  // @ts-expect-error: a script for browsers has no types.
  await import('../../../../tools/console/assets/console.js');
  const find = (selector: string) => document.querySelector(selector) as HTMLInputElement;
  /** Sends an event, and returns false if the script prevents its effect. */
  const send = (type: string, members: object = {}, selector = 'html') =>
    find(selector).dispatchEvent(
      Object.assign(new Event(type, { bubbles: true, cancelable: true }), members),
    );
  /** Sends the response of a part, and returns true if the part is replaced. */
  const swap = (id: string, responseText: string, shouldSwap = true) => {
    const detail = { target: find(`#${id}`), xhr: { responseText }, shouldSwap };
    send('htmx:beforeSwap', { detail });
    return detail.shouldSwap;
  };
  return { document, navigator, reload, selection, find, send, swap };
}

/** Opens a page with one time, and returns its text. */
async function openTime(seconds: number, now = noon) {
  const time = new Date(noon - seconds * 1000).toISOString();
  const opened = await open(
    `<body data-now="${now}"><time data-ago="At " datetime="${time}">31 Jan</time></body>`,
  );
  return { ...opened, text: () => opened.find('time').textContent.replaceAll('\u00a0', ' ') };
}

test.for([
  [59, 'At 59 s ago'],
  [60, 'At 1 min ago'],
  [3_599, 'At 59 min ago'],
  [3_600, 'At 1 h ago'],
  [86_399, 'At 23 h ago'],
  [86_400, '31 Jan'],
  [-150, 'At in 2 min'],
] as const)('a time %i s ago is %s', async ([seconds, text]) => {
  expect((await openTime(seconds)).text()).toBe(text);
});

test('an age counts from the time of AWS, and grows', async () => {
  const { text, send } = await openTime(40, noon + 7_000);
  expect(text()).toBe('At 47 s ago');
  vi.advanceTimersByTime(10_000);
  expect(text()).toBe('At 57 s ago');
  vi.setSystemTime(noon + 83_000);
  send('htmx:afterSwap');
  expect(text()).toBe('At 2 min ago');
});

test.for([
  ['UTC', zoneHere],
  ['Asia/Kolkata', 'UTC'],
] as const)('the button changes the zone %s to %s on all pages', async ([before, after]) => {
  const { document, find, reload } = await open(page.replace('UTC', before));
  find('[data-zone]').click();
  expect(document.cookie).toBe(`file-sync-zone=${after}`);
  expect(reload).toHaveBeenCalledOnce();
});

test.for([
  ['Copied', async (): Promise<void> => undefined],
  ['Not copied', (): Promise<void> => Promise.reject(new Error('denied'))],
] as const)('a button shows "%s" for two seconds', async ([shown, write]) => {
  const { navigator, find } = await open();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
  find('[data-copy]').click();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('client_1');
  expect(find('[data-copy]').dataset.done).toBe(shown);
  vi.advanceTimersByTime(1);
  expect(find('[data-copy]').dataset.done).toBeUndefined();
});

test.for<[string, string, boolean, number]>([
  ['a cell', 'b', true, 1],
  ['a cell with selected text', 'b', false, 0],
  ['another link', '#other', true, 0],
  ['a check box', '.pick input', true, 0],
  ['no row', '#part', true, 0],
])('a click on %s follows the link of its row or not', async ([, selector, isCollapsed, times]) => {
  const { find, selection } = await open();
  const followed = vi.fn();
  find('a.main').addEventListener('click', followed);
  selection.isCollapsed = isCollapsed;
  find(selector).click();
  expect(followed).toHaveBeenCalledTimes(times);
});

test.for<[string, string, boolean, boolean, number]>([
  ['in a visible page', 'part', false, false, 0],
  ['in the background', 'part', true, false, 1],
  ['with a selected row', 'part', false, true, 1],
  ['that loads once', 'once', true, false, 0],
])('a part %s sends its request, or loads it later', async ([, id, hidden, checked, later]) => {
  const { document, find, send } = await open();
  const missed = vi.fn();
  find(`#${id}`).addEventListener('missed', missed);
  Object.defineProperty(document, 'hidden', { value: hidden });
  find('.pick input').checked = checked;
  expect(send('htmx:beforeRequest', { detail: { elt: find(`#${id}`) } })).toBe(later === 0);
  send('visibilitychange');
  send('visibilitychange');
  expect(missed).toHaveBeenCalledTimes(later);
});

test('only a new response replaces a part', async () => {
  const { swap } = await open();
  expect([swap('part', 'one'), swap('part', 'one'), swap('once', 'one')]).toEqual([true, false, true]);
  expect([swap('part', 'two'), swap('part', 'error', false)]).toEqual([true, false]);
});

test.for(['#named', '[data-copy]', '[href="/files/file_1"]', '.top input'])(
  'a new part keeps the focus on %s',
  async (selector) => {
    const { document, find, send, swap } = await open();
    find(selector).focus();
    swap('part', 'new');
    find('#part').innerHTML = `${find('#part').innerHTML}`;
    send('htmx:afterSwap');
    expect(document.activeElement).toBe(find(selector));
  },
);

test.for(['htmx:sendError', 'htmx:timeout', 'htmx:responseError'])(
  'a page is out of date after %s, until the next response',
  async (failure) => {
    const { find, send } = await open();
    send(failure);
    send('htmx:afterOnLoad', { detail: { successful: false } });
    expect(find('#stale').hidden).toBe(false);
    send('htmx:afterOnLoad', { detail: { successful: true } });
    expect(find('#stale').hidden).toBe(true);
  },
);

test('the check box in the heading selects every row', async () => {
  const { find } = await open();
  find('th input').click();
  expect(find('.pick input').checked).toBe(true);
});

test.for([
  ['select', 1],
  ['#since', 0],
] as const)('a change of %s applies the filter %i times', async ([selector, times]) => {
  const { find, send } = await open();
  const requestSubmit = vi.fn();
  Object.assign(find('form'), { requestSubmit });
  send('change', {}, selector);
  expect(requestSubmit).toHaveBeenCalledTimes(times);
});
