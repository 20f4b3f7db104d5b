import type { Child, JSXNode } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Layout } from '../components/layout.tsx';
import { RequestScope } from '../components/request.ts';
import type { PageContext } from './environment.ts';
import { liveHeader } from './guard.ts';
import { formToken } from './sessions.ts';

interface Page {
  /** The heading, and the title in the tab. */
  readonly title: string;
  /** Default: 200. */
  readonly status?: ContentfulStatusCode;
}

/** Answers with a page. What the last change left to say is on it. */
export function page(
  c: PageContext,
  { title, status = 200 }: Page,
  content: Child,
): Response | Promise<Response> {
  const { console, sections, session } = c.var;
  // What a live part loads again shows no message, and so must not use it up.
  const flash = c.req.header(liveHeader) === undefined ? session.flash : undefined;
  if (flash !== undefined) {
    session.flash = undefined;
  }
  const facts = {
    address: addressOf(c),
    readOnly: console.readOnly,
    now: console.now(),
    formToken: (action: string) => formToken(session, action),
  };
  return html(
    c,
    <RequestScope.Provider value={facts}>
      <Layout
        title={title}
        name={console.name}
        readOnly={console.readOnly}
        sections={sections}
        path={c.req.path}
        flash={flash}
        searched={c.req.path === '/search' ? c.req.query('q') : undefined}
      >
        {content}
      </Layout>
    </RequestScope.Provider>,
    status,
  );
}

/** Answers with a document. */
export function html(c: PageContext, content: JSXNode | Child, status: ContentfulStatusCode = 200) {
  return c.html(`<!doctype html>${String(content)}`, status);
}

/** Path and query of a request. */
export function addressOf(c: PageContext): string {
  const { pathname, search } = new URL(c.req.url);
  return `${pathname}${search}`;
}

/** A path of the console: each part is encoded. */
export function path(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** An address with a query. What is undefined or empty is left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}
