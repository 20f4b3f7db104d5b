import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeDamage } from '../../operator/deployment/items.ts';
import { Layout, type Page } from '../components/layout.tsx';
import type { PageContext } from './environment.ts';
import { isPoll } from './guard.ts';
import { Message } from './next-page.tsx';
import type { ActionMessage } from './sessions.ts';

/** Responds with a page. A part that is loaded separately gets only the content. Both name damaged items. */
export function page(
  c: PageContext,
  { status = 200, ...head }: Page & { readonly status?: ContentfulStatusCode },
  content: Child,
): Response | Promise<Response> {
  const session = c.get('session');
  const isPart = isPoll(c);
  const damage = describeDamage(c.var.console.deployment.damage);
  const whole = (
    <>
      <div id={`damage-${c.req.path}`} hx-swap-oob={isPart && 'true'} hidden={!damage}>
        {damage && <Message message={damage} isError />}
      </div>
      {content}
    </>
  );
  const html = String(
    <RequestContext.Provider value={c}>
      {isPart ? whole : <Layout {...head}>{whole}</Layout>}
    </RequestContext.Provider>,
  );
  if (!isPart && session?.flash?.on === c.req.path) {
    // The message of the last change is shown once, and never on a page that another tab loads in between.
    session.flash = undefined;
  }
  return c.html(html, status);
}

/**
 * Redirects to another page.
 *
 * @param flash message at the top of that page
 */
export function goTo(c: PageContext, address: string, flash: ActionMessage): Response {
  c.var.session.flash = { ...flash, on: address };
  return c.redirect(address, 303);
}
