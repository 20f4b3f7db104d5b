import type { PropsWithChildren } from 'hono/jsx';
import { plainText, Text } from './text.tsx';

/** A part of the console that the navigation names. */
export interface Section {
  readonly path: string;
  readonly label: string;
}

interface LayoutProps {
  readonly title: string;
  /** Name of the deployment. */
  readonly name: string;
  readonly readOnly: boolean;
  readonly sections: readonly Section[];
  /** Path of the page. */
  readonly path: string;
  readonly flash?: string | undefined;
  /** What was searched for. */
  readonly searched?: string | undefined;
}

/** Every page of a session. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, name, readOnly, sections, path, flash, searched, children } = props;
  return (
    <Document title={`${plainText(title)} · ${plainText(name)}`}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <p class="name">
          <a href="/">
            <Text of={name} />
          </a>
          {readOnly && <span class="badge warning">read-only</span>}
        </p>
        <search>
          <form method="get" action="/search" class="search">
            <label class="unseen" for="search">
              Search
            </label>
            <input
              id="search"
              type="search"
              name="q"
              placeholder="Any id or name"
              value={searched}
              autocomplete="off"
              spellcheck={false}
            />
            <button type="submit">Search</button>
          </form>
        </search>
        <nav aria-label="Sections">
          <ul>
            {sections.map((section) => (
              <li>
                <a
                  href={section.path}
                  aria-current={`${path}/`.startsWith(`${section.path}/`) ? 'page' : undefined}
                >
                  {section.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content" tabindex={-1}>
        <h1>
          <Text of={title} />
        </h1>
        {flash !== undefined && (
          <p class="flash" role="status">
            <Text of={flash} />
          </p>
        )}
        {children}
      </main>
    </Document>
  );
}

/** htmx without what the Content-Security-Policy forbids, and without a history of pages in the browser's storage. */
const htmxSettings = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyEnabled: false,
  historyCacheSize: 0,
  selfRequestsOnly: true,
});

/** An HTML document with the console's style and scripts. */
function Document({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={htmxSettings} />
        <title>{title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/console.css" />
        <script src="/assets/htmx.js" defer />
        <script src="/assets/console.js" defer />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** A page without a session: what happened, and what to do. */
export function Outside({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <Document title={title}>
      <main id="content">
        <h1>{title}</h1>
        {children}
      </main>
    </Document>
  );
}
