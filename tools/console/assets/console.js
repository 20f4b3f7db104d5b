// What the server cannot do: times in the reader's zone, copying, the focus, and the keyboard.

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Shows times in the reader's zone. UTC stays in the title. */
function showTimes(root) {
  for (const element of root.querySelectorAll('time[datetime]')) {
    const time = new Date(element.dateTime);
    if (!Number.isNaN(time.getTime())) {
      element.textContent = timeFormat.format(time);
    }
  }
}

const hourFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Shows the times of a picture's axis in the reader's zone. A day that does not begin there has its hour. */
function showTicks(root) {
  for (const tick of root.querySelectorAll('text[data-tick]')) {
    const time = new Date(tick.dataset.tick);
    const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
    const texts = [
      ...(tick.dataset.days === undefined ? [] : [dayFormat.format(time)]),
      ...(tick.dataset.days !== undefined && isMidnight ? [] : [hourFormat.format(time)]),
    ];
    tick.textContent = texts.join(', ');
  }
}

/** Shows the buttons that need a script. */
function showButtons(root) {
  for (const button of root.querySelectorAll('[data-copy], [data-download]')) {
    button.hidden = false;
  }
}

function prepare(root) {
  showTimes(root);
  showTicks(root);
  showButtons(root);
}

async function copy(button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

/** Saves the text of an element as a file. It never leaves this page. */
function download(button) {
  const text = document.getElementById(button.dataset.download).textContent;
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = button.dataset.fileName;
  link.click();
  URL.revokeObjectURL(address);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button');
  if (button?.dataset.copy !== undefined) {
    void copy(button);
  } else if (button?.dataset.download !== undefined) {
    download(button);
  }
});

// A second press of the button must not make a second client.
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') {
    return;
  }
  if (event.target.dataset.sent !== undefined) {
    event.preventDefault();
    return;
  }
  event.target.dataset.sent = '';
});

// A page that comes back from the browser's memory can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent;
  }
});

// "/" goes to the search, as on many sites, unless the reader is writing.
document.addEventListener('keydown', (event) => {
  const writes = event.target.closest?.('input, textarea, select') !== null;
  if (event.key === '/' && !writes && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    document.getElementById('search')?.focus();
  }
});

document.addEventListener('htmx:afterSettle', (event) => prepare(event.target.parentElement ?? document));

// What the reader has opened, or is at, must not be taken away. htmx gives the focus back to an element with an id.
document.addEventListener('htmx:beforeRequest', (event) => {
  const { elt } = event.detail;
  const { activeElement } = document;
  const losesFocus = elt.contains(activeElement) && activeElement.id === '';
  if (losesFocus || elt.querySelector('details[open]') !== null) {
    event.preventDefault();
  }
});

// What has not changed is not replaced: a selection of text stays.
const lastAnswers = new Map();
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  const { responseText } = detail.xhr;
  detail.shouldSwap = detail.shouldSwap && lastAnswers.get(detail.target.id) !== responseText;
  lastAnswers.set(detail.target.id, responseText);
});

/** Says that a part of the page is no longer kept up to date. */
function sayStale({ detail: { elt } }) {
  if (elt === undefined || elt.classList.contains('stale')) {
    return;
  }
  elt.classList.add('stale');
  const note = document.createElement('p');
  note.className = 'problem';
  note.setAttribute('role', 'status');
  note.textContent =
    'The console does not answer, so this is no longer kept up to date. Is its command still running?';
  elt.prepend(note);
}
document.addEventListener('htmx:sendError', sayStale);
document.addEventListener('htmx:responseError', sayStale);

prepare(document);
document.querySelector('[data-focus]')?.focus();
