import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { type Env, type PageContext, RequestError } from './environment.ts';
import { readForm } from './form.ts';
import { isFormToken } from './sessions.ts';

/**
 * `same-origin` and not `no-referrer`: with the latter, browsers send `Origin: null` with a form (Fetch,
 * "append a request Origin header"), and the origin of a change could not be checked. Both send no referrer
 * to other origins.
 */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cache-control': 'no-store',
};

/** Sets the headers of every response. Headers that a response already set are kept. */
export const secureHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) {
    if (!c.res.headers.has(name)) {
      c.res.headers.set(name, value);
    }
  }
};

/**
 * Rejects requests for another host name, which a page of another site can send by DNS rebinding. Rejects
 * changes from another site, another port of this machine or another program.
 */
export function checkOrigin(host: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.header('host')?.toLowerCase() !== host) {
      // The message does not contain the correct name: a server on another port could use the name to get the
      // cookie.
      throw new RequestError(
        421,
        'Wrong address',
        `This is not the host name of the console, which changes at each start. ${c.var.console.newLinkHint}`,
      );
    }
    const isFromOutside = ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
    if (isChange(c) && (isFromOutside || c.req.header('origin') !== `http://${host}`)) {
      throw new RequestError(
        403,
        'Request from another site or program',
        'This request came from another site or program, so it was rejected. Nothing was changed. Open the console by its own address.',
      );
    }
    await next();
  };
}

/**
 * Returns true if a request may change something. HEAD counts too: a program that checks a one-time link must
 * not use it up.
 */
export function isChange(c: PageContext): boolean {
  return c.req.method !== 'GET';
}

export const cookieName = 'file-sync-console';

/** The script of a page sends this header with its own requests. They do not extend a session. */
export const liveHeader = 'x-console-live';

/** Returns true if a part of a page is reloaded. */
export function isPoll(c: PageContext): boolean {
  return c.req.header(liveHeader) !== undefined;
}

/** Finds the session, or rejects the request. */
export const requireSession: MiddlewareHandler<Env> = async (c, next) => {
  const cookie = getCookie(c, cookieName);
  const session = cookie === undefined ? undefined : c.var.sessions.find(cookie, !isPoll(c));
  if (session === undefined) {
    throw new RequestError(
      401,
      'No session',
      `The link of the console was not opened in this browser, or the session has ended. A session ends after 30 minutes without use, and when the console stops. Saved changes are kept. ${c.var.console.newLinkHint}`,
    );
  }
  c.set('session', session);
  await next();
};

/** Rejects a change without the token of its form, and every change in a read-only console. */
export const checkChange: MiddlewareHandler<Env> = async (c, next) => {
  if (isChange(c)) {
    if (c.var.console.readOnly) {
      throw new RequestError(
        403,
        'This console is read-only',
        'The console was started with --read-only, so nothing was changed. To make changes, start it without this option.',
      );
    }
    const { token } = await readForm(c);
    if (!isFormToken(c.var.session, c.req.path, token?.[0] ?? '')) {
      throw new RequestError(
        403,
        'The form is too old',
        'The form is from another session, so nothing was changed. Go back, load the page again, and repeat the change.',
      );
    }
  }
  await next();
};
