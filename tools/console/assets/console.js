// Tasks for the browser: times in the reader's zone, copying, and live parts that keep focus and selection.

// The clock of this machine may be wrong. The page contains the time of AWS.
const correction = Number(document.body.dataset.now ?? Date.now()) - Date.now();
const now = () => Date.now() + correction;

/** Shows the age of a time, as "2 min ago". From one day on, it leaves the date that the server wrote. */
function showAgo() {
  for (const time of document.querySelectorAll('time[data-ago]')) {
    const ahead = new Date(time.dateTime) - now();
    const seconds = Math.round(Math.abs(ahead) / 1000);
    if (seconds >= 86_400) {
      continue;
    }
    const [value, unit] =
      seconds < 60 ? [seconds, 's'] : seconds < 3600 ? [seconds / 60, 'min'] : [seconds / 3600, 'h'];
    const length = `${Math.floor(value)}\u00a0${unit}`;
    time.textContent = time.dataset.ago + (ahead > 0 ? `in\u00a0${length}` : `${length}\u00a0ago`);
  }
}
showAgo();
document.addEventListener('htmx:afterSwap', showAgo);
setInterval(showAgo, 10_000);

// UTC, or the time zone of this browser. One choice applies to every page and console.
const zone = document.querySelector('[data-zone]');
zone?.addEventListener('click', () => {
  const chosen = zone.dataset.zone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser
  document.cookie = `file-sync-zone=${chosen}; path=/; max-age=31536000; samesite=lax`;
  location.reload();
});

/** Copies the button's text. The style sheet shows the result. */
async function copy(button) {
  const { dataset } = button;
  dataset.done = await navigator.clipboard.writeText(dataset.copy).then(
    () => 'Copied',
    () => 'Not copied',
  );
  setTimeout(() => {
    delete dataset.done;
  }, 2000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) {
    void copy(button);
  }
  // A click anywhere in a row follows its link, unless text in the row is selected.
  if (!target.closest('a, button, .pick') && getSelection().isCollapsed) {
    target.closest('tr')?.querySelector('a.main')?.click();
  }
});

// A page in the background, or with selected rows, sends no requests. Its parts load the missed updates when it becomes
// visible again.
document.addEventListener('htmx:beforeRequest', (event) => {
  const { elt } = event.detail;
  if ((document.hidden || document.querySelector('.pick :checked')) && elt.matches('[hx-trigger^="every"]')) {
    elt.dataset.missed = '';
    event.preventDefault();
  }
});
document.addEventListener('visibilitychange', () => {
  for (const part of document.querySelectorAll('[data-missed]')) {
    delete part.dataset.missed;
    part.dispatchEvent(new Event('missed'));
  }
});

// A changed filter applies immediately. The check box in the heading selects every row.
document.addEventListener('change', ({ target }) => {
  if (target.matches('th input')) {
    for (const box of document.querySelectorAll('td.pick input')) {
      box.checked = target.checked;
    }
  }
  if (target.matches('search select')) {
    target.form.requestSubmit();
  }
});

// An unchanged part is not replaced, which keeps a text selection.
const lastResponses = new Map();
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  const { target, xhr } = detail;
  const isNew = lastResponses.get(target.id) !== xhr.responseText;
  detail.shouldSwap = detail.shouldSwap && isNew;
  lastResponses.set(target.id, xhr.responseText);
});

// A new part must not take the focus away.
const nameOf = ({ id, dataset, href }) => id || dataset.copy || href;
let focused;
document.addEventListener('htmx:beforeSwap', ({ detail: { target } }) => {
  focused = target.contains(document.activeElement) ? nameOf(document.activeElement) : undefined;
});
document.addEventListener('htmx:afterSwap', () => {
  if (focused !== undefined) {
    [...document.querySelectorAll('main :is(a, button)')]
      .find((one) => nameOf(one) === focused)
      ?.focus({ preventScroll: true });
  }
});

// The page is up to date only while the console responds.
const stale = document.querySelector('#stale');
document.addEventListener('htmx:afterOnLoad', ({ detail: { successful } }) => {
  stale.hidden ||= successful;
});
for (const failure of ['htmx:sendError', 'htmx:timeout', 'htmx:responseError']) {
  document.addEventListener(failure, () => {
    stale.hidden = false;
  });
}
