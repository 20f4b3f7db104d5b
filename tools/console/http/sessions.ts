import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ActionResult } from '../../operator/description/action.ts';

/** Message of an action after it has run. It shows a new client secret once. */
export type ActionMessage = Pick<ActionResult, 'message' | 'next' | 'secret'>;

/** A message for one page. */
interface Flash extends ActionMessage {
  /** The path of the page. */
  readonly on: string;
}

/** State of one browser's session. A session exists only in memory, and ends with the process. */
export interface Session {
  /** Key of the tokens in the forms of this session. */
  readonly key: Buffer;
  /** Number of forms that were created. */
  forms: number;
  /** Results of the forms that were sent, by token: the response, and the message for the page after it. */
  readonly performed: Map<string, Promise<Pick<Session, 'flash'> & { readonly response: Response }>>;
  /** The message at the top of the next page. */
  flash: Flash | undefined;
}

/** Milliseconds without use after which a session or a link expires. */
export const idleMilliseconds = 30 * 60_000;

/** 256 bits. RFC 6749 section 10.10 requires values that cannot be guessed. */
const tokenBytes = 32;

/** One-time links, and the sessions that they started. */
export type Sessions = ReturnType<typeof createSessions>;

/**
 * Only digests are stored, so the time of a lookup reveals nothing about a token.
 *
 * @param now clock in milliseconds since the epoch
 */
export function createSessions(now: () => number, randomBytes: (size: number) => Buffer) {
  const sessions = new Map<string, { readonly session: Session; usedAt: number }>();
  const newToken = () => randomBytes(tokenBytes).toString('base64url');
  let link: { readonly digest: string; readonly createdAt: number } | undefined;
  return {
    /** Creates a one-time link, valid for 30 minutes. It replaces an unused earlier link. */
    newLink: () => {
      const token = newToken();
      link = { digest: digestOf(token), createdAt: now() };
      return token;
    },
    /**
     * Uses a one-time link.
     *
     * @returns value of the session's cookie, or undefined if the link is unknown, used, expired or replaced
     */
    enter: (token: string) => {
      if (digestOf(token) !== link?.digest || now() - link.createdAt >= idleMilliseconds) {
        return undefined;
      }
      link = undefined;
      const cookie = newToken();
      const session: Session = {
        key: randomBytes(tokenBytes),
        forms: 0,
        performed: new Map(),
        flash: undefined,
      };
      sessions.set(digestOf(cookie), { session, usedAt: now() });
      return cookie;
    },
    /**
     * Finds the session of a cookie.
     *
     * @param inUse true if a person sent the request. Requests of a page's script do not extend a session
     */
    find: (cookie: string, inUse: boolean) => {
      const id = digestOf(cookie);
      const found = sessions.get(id);
      if (found === undefined || now() - found.usedAt >= idleMilliseconds) {
        sessions.delete(id);
        return undefined;
      }
      if (inUse) {
        found.usedAt = now();
      }
      return found.session;
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * Returns the token of a new form. It is valid for one session and one action, so a page of another site
 * cannot send the form. Each form gets its own token, so a repeated form is recognised.
 */
export function newFormToken(session: Session, action: string): string {
  session.forms += 1;
  return formToken(session, action, String(session.forms));
}

function formToken({ key }: Session, action: string, form: string): string {
  return `${form}.${createHmac('sha256', key).update(`${form} ${action}`).digest('base64url')}`;
}

/** Returns true if this session created a form for this action. */
export function isFormToken(session: Session, action: string, given: string): boolean {
  const [form = ''] = given.split('.');
  const right = formToken(session, action, form);
  // The comparison in constant time requires values of equal length, such as digests.
  return timingSafeEqual(Buffer.from(digestOf(right)), Buffer.from(digestOf(given)));
}
