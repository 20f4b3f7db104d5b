import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { setCookie } from 'hono/cookie';
import { assets } from './assets.ts';
import { clockOf } from './http/clock.ts';
import { type ConsoleContext, type Env, type PageContext, RequestError } from './http/environment.ts';
import { checkChange, checkOrigin, cookieName, requireSession, secureHeaders } from './http/guard.ts';
import { respondWithError } from './http/problem.tsx';
import type { Sessions } from './http/sessions.ts';
import { pages } from './pages/pages.ts';

interface AppOptions {
  readonly console: ConsoleContext;
  readonly sessions: Sessions;
  /** Name and port of the host that the console serves. */
  readonly host: string;
}

/** Creates the Hono app that serves the console. */
export function createApp({ console, sessions, host }: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    // Each request reports only the damaged items that it finds.
    c.set('console', { ...console, deployment: { ...console.deployment, damage: new Set() } });
    c.set('clock', clockOf(c));
    c.set('sessions', sessions);
    await next();
  });
  app.use(secureHeaders);
  app.use(compress());
  // The page about a wrong host name uses the assets too.
  app.route('/assets', assets);
  app.use(checkOrigin(host));
  app.get('/enter/:link', (c) => enter(c, c.req.param('link')));
  app.use(requireSession);
  app.use(checkChange);
  app.get('/', (c) => c.redirect('/overview', 303));
  app.route('/', pages);
  app.notFound(() => {
    throw new RequestError(
      404,
      'Not found',
      'The console has no such page. Check the address, or use the search.',
    );
  });
  app.onError(respondWithError);
  return app;
}

/** Exchanges a one-time link for a session. */
function enter(c: PageContext, link: string): Response {
  const cookie = c.var.sessions.enter(link);
  if (cookie === undefined) {
    throw new RequestError(
      403,
      'This link does not work',
      `A link works once, within 30 minutes, so that nobody else can use it. If the console is already open in this browser, use its address up to the port. ${c.var.console.newLinkHint}`,
    );
  }
  // Lax and not Strict: with Strict, browsers omit the cookie if the user follows a link in a chat, a ticket
  // or a web mail, also after the redirect below. Changes do not rely on SameSite: they require the console's
  // own Origin and the token of the form.
  setCookie(c, cookieName, cookie, { httpOnly: true, sameSite: 'Lax', path: '/' });
  return c.redirect('/', 303);
}
