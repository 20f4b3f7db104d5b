// What the server cannot do: times in the reader's zone, copying, and calm live parts.

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Shows times in the reader's zone. UTC stays in the title. */
function showTimes(root) {
  for (const element of root.querySelectorAll('time[datetime]')) {
    element.textContent = timeFormat.format(new Date(element.dateTime));
  }
}

const hourFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Shows the times of a picture's axis in the reader's zone. */
function showTicks(root) {
  for (const tick of root.querySelectorAll('text[data-tick]')) {
    const format = tick.dataset.days === undefined ? hourFormat : dayFormat;
    tick.textContent = format.format(new Date(tick.dataset.tick));
  }
}

/** Shows the buttons that need a script. */
function showButtons(root) {
  for (const button of root.querySelectorAll('[data-copy]')) {
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

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy]');
  if (button) {
    void copy(button);
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

document.addEventListener('htmx:afterSettle', (event) => prepare(event.target.parentElement ?? document));

// The focus must not be taken away. htmx gives it back to an element with an id.
document.addEventListener('htmx:beforeRequest', (event) => {
  const { activeElement } = document;
  if (event.detail.elt.contains(activeElement) && activeElement.id === '') {
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
