import { raw } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import { describeSkew } from '../../operator/deployment/aws-clock.ts';
import { printable } from '../../operator/text.ts';
import type { Env } from '../http/environment.ts';
import { liveHeader } from '../http/guard.ts';
import { Message } from '../http/next-page.tsx';
import { Text } from './text.tsx';

/** Title of a page, and content beside its heading. */
export interface Page {
  /** Heading, and title of the browser tab. */
  readonly title: string;
  /** Content beside the heading: a state, or buttons. */
  readonly beside?: Child;
}

/**
 * Configures htmx without the features that the Content-Security-Policy forbids, and without a page history
 * in the browser's storage. The timeout is for a console that was stopped with Ctrl-Z, which never responds.
 */
const htmxSettings = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyEnabled: false,
  timeout: 15_000,
  defaultSwapStyle: 'outerHTML',
});

/** A page. Without a session, the page shows no data of the deployment and no links. */
export function Layout({ title, beside, children }: PropsWithChildren<Page>) {
  const { req, var: facts } = useRequestContext<Env>();
  const { console, session } = facts;
  // A warning on every page if the clock of the machine is wrong.
  const skew = session && describeSkew(console.deployment);
  const hasSession = session !== undefined;
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="htmx-config" content={htmxSettings} />
          <title>{printable(hasSession ? `${title} · ${console.name}` : title)}</title>
          <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="/assets/console.css" />
          <script src="/assets/htmx.js" defer />
          <script src="/assets/console.js" defer />
        </head>
        <body
          hx-headers={JSON.stringify({ [liveHeader]: '1' })}
          data-now={hasSession ? console.deployment.now() : undefined}
        >
          {hasSession && <Frame />}
          <main id="content" tabindex={-1}>
            <div class="row apart">
              <h1>
                <Text of={title} />
              </h1>
              <div class="row">{beside}</div>
            </div>
            {session?.flash?.on === req.path && <Message {...session.flash} />}
            {skew && <p class="note warning">{skew}</p>}
            <p id="stale" class="note bad" role="alert" hidden>
              <span>{notUpToDate}</span>
            </p>
            {children}
          </main>
        </body>
      </html>
    </>
  );
}

/** The script shows this notice if it cannot reload a part. */
const notUpToDate =
  'This page is not up to date: the console does not respond, or responds with an error. If its command has ended, ' +
  'start the command again and open the new link. Otherwise, load this page again.';

/** Links of the navigation: the path and the label of each section. */
const sections = [
  ['/overview', 'Overview'],
  ['/requests', 'Requests'],
  ['/requests/count', 'Counts'],
  ['/uploads', 'Uploads'],
  ['/files', 'Files'],
  ['/clients', 'Clients'],
  ['/organisations', 'Organisations'],
  ['/signing-keys', 'Keys'],
  ['/reference', 'API'],
] as const;

/** The frame of a page: the product, the name of the deployment, the search, the zone of all times, and the sections. */
function Frame() {
  const { req, var: facts } = useRequestContext<Env>();
  const { zone } = facts.clock;
  const { deployment, name, readOnly } = facts.console;
  // Format: arn:aws:secretsmanager:REGION:ACCOUNT:…
  const [, , , region, account] = deployment.outputs.KeySetSecretArn.split(':');
  // A production stack contains the word `prod` in its name: `file-sync-prod`, but not `file-sync-products`.
  const isProduction = /(^|[^a-z])prod(uction)?([^a-z]|$)/i.test(name);
  const current = sections.findLast(([path]) => `${req.path}/`.startsWith(`${path}/`));
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="product" href="/">
          File Sync
        </a>
        <span class={isProduction ? 'tag place warning' : 'tag place'}>
          <Text of={deployment.isLocal ? name : `${name} · ${region} · ${account}`} />
        </span>
        {readOnly && <span class="tag warning">read-only</span>}
        <search>
          <form method="get" action="/search">
            <input
              id="search"
              type="search"
              name="q"
              accesskey="k"
              placeholder="Any id or name"
              aria-label="Search"
              value={req.path === '/search' ? req.query('q') : undefined}
              autocomplete="off"
              spellcheck={false}
            />
          </form>
        </search>
        <button type="button" class="quiet" data-zone={zone}>
          Times in {zone.replace(/^.*\//, '').replaceAll('_', ' ')}
        </button>
      </header>
      <nav class="sections" aria-label="Sections">
        {sections.map((section) => (
          <a href={section[0]} aria-current={section === current ? 'page' : undefined}>
            {section[1]}
          </a>
        ))}
      </nav>
    </>
  );
}
