import type { Child, JSXNode } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Entered, Form } from '../components/form.tsx';
import { Layout } from '../components/layout.tsx';
import { RequestScope } from '../components/request.ts';
import { clockOf } from './clock.ts';
import type { PageContext } from './environment.ts';
import { liveHeader } from './guard.ts';
import { formToken } from './sessions.ts';

export interface Page {
  /** The heading, and the title in the tab. */
  readonly title: string;
  /** What stands beside the heading. */
  readonly beside?: Child;
  /** Default: 200. */
  readonly status?: ContentfulStatusCode;
}

/** Answers with a page. A part of a page that is loaded by itself gets the content alone. */
export function page(
  c: PageContext,
  { title, beside, status = 200 }: Page,
  content: Child,
): Response | Promise<Response> {
  const { console, sections, session } = c.var;
  const facts = {
    readOnly: console.readOnly,
    formToken: (action: string) => formToken(session, action),
    clock: clockOf(c),
  };
  if (c.req.header(liveHeader) !== undefined) {
    return c.html(String(<RequestScope.Provider value={facts}>{content}</RequestScope.Provider>), status);
  }
  // What the last change left to say is said once.
  const { flash } = session;
  session.flash = undefined;
  return html(
    c,
    <RequestScope.Provider value={facts}>
      <Layout
        title={title}
        beside={beside}
        console={console}
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

/**
 * Goes to another page.
 *
 * @param flash what that page says first
 */
export function goTo(c: PageContext, address: string, flash?: string): Response {
  c.var.session.flash = flash;
  return c.redirect(address, 303);
}

/** A page with a form. */
export interface FormPage extends Page {
  /** What the button says. */
  readonly label: string;
  /** For what cannot be undone. */
  readonly danger?: boolean;
  /** Where the person goes who does not want this. */
  readonly back: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly entered?: Entered;
}

/** Answers with a page whose form is sent to the address of the page. It is shown again when something in it is wrong. */
export function formPage(c: PageContext, { title, status, entered, ...form }: FormPage, content: Child) {
  const isWrong = entered !== undefined && Object.keys(entered.errors).length > 0;
  return page(
    c,
    { title, status: status ?? (isWrong ? 422 : 200) },
    <Form action={c.req.path} entered={entered} {...form}>
      {content}
    </Form>,
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
