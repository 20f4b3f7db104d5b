import type { Child, PropsWithChildren } from 'hono/jsx';
import type { ConsoleContext, Section } from '../http/environment.ts';
import { useRequest } from './request.ts';
import { plainText, Text } from './text.tsx';

interface LayoutProps {
  readonly title: string;
  /** What stands beside the title: a state, or what can be done. */
  readonly beside?: Child;
  readonly console: ConsoleContext;
  readonly sections: readonly Section[];
  /** Path of the page. */
  readonly path: string;
  readonly flash?: string | undefined;
  /** What was searched for. */
  readonly searched?: string | undefined;
}

/** Every page of a session. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, beside, console, sections, path, flash, searched, children } = props;
  return (
    <Document title={`${plainText(title)} · ${plainText(console.name)}`}>
      <Header console={console} searched={searched} />
      <nav class="sections" aria-label="Sections">
        {sections.map((section) => (
          <a
            href={section.path}
            class={section.class}
            aria-current={`${path}/`.startsWith(`${section.path}/`) ? 'page' : undefined}
          >
            {section.label}
          </a>
        ))}
      </nav>
      <main id="content" tabindex={-1}>
        <div class="row apart">
          <h1>
            <Text of={title} />
          </h1>
          {beside}
        </div>
        {flash !== undefined && (
          <p class="note good" role="status">
            <Text of={flash} />
          </p>
        )}
        {children}
      </main>
    </Document>
  );
}

/** One line: the product, which deployment it is, the search, and the zone of all times. */
function Header({ console, searched }: Pick<LayoutProps, 'console' | 'searched'>) {
  const { deployment, kind, name, readOnly } = console;
  const { zone } = useRequest().clock;
  // arn:aws:secretsmanager:REGION:ACCOUNT:…
  const [, , , region, account = ''] = deployment.outputs.KeySetSecretArn.split(':');
  const isLocal = kind === 'local';
  const place = isLocal ? name : `${name} · ${region} · ${account.slice(0, 4)}…${account.slice(-4)}`;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="product" href="/">
          File Sync
        </a>
        <span
          class={isProduction(name) ? 'place prod' : 'place'}
          title={isLocal ? undefined : `Account ${account}`}
        >
          <Text of={place} />
        </span>
        {readOnly && <span class="tag warning">read-only</span>}
        <search>
          <form method="get" action="/search">
            <SearchField id="search" value={searched} />
          </form>
        </search>
        <button type="button" class="quiet" data-zone={zone} disabled>
          Times in {zone === 'UTC' ? zone : zone.replace(/^.*\//, '').replaceAll('_', ' ')}
        </button>
      </header>
    </>
  );
}

/** What is entered is an id, or a part of a name. */
export function SearchField({ id, value }: { readonly id: string; readonly value: string | undefined }) {
  return (
    <input
      id={id}
      type="search"
      name="q"
      placeholder="Any id or name: press /"
      aria-label="Search"
      value={value}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

/** By the words of its name: `file-sync-prod`, and not `file-sync-products`. */
function isProduction(name: string): boolean {
  return /(^|[^a-z])prod(uction)?([^a-z]|$)/i.test(name);
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
