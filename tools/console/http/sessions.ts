import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ActionResult } from '../../operator/description/action.ts';

/** Work that takes longer than a page may. The work goes on when the browser is closed. */
export interface Job {
  readonly id: string;
  /** The title of the action: `Delete the client`. */
  readonly title: string;
  /** The page to go to when the work has ended. */
  readonly back: string;
  /** The progress, as a sentence. */
  progress: string;
  /** What came of it, or the error. Undefined while the work goes on. */
  outcome: ActionMessage | { readonly error: unknown } | undefined;
}

/** What an action says afterwards. A new client secret is shown with it, once. */
export type ActionMessage = Pick<ActionResult, 'says' | 'next' | 'secret'>;

/** A message for one page. */
interface Flash extends ActionMessage {
  /** The path of the page. */
  readonly on: string;
}

/** The response to a form, and the message for the page after it. */
interface PerformedAction {
  readonly response: Response;
  readonly flash: Flash | undefined;
}

/** What the console remembers of one browser. A session exists only in memory, and ends with the process. */
export interface Session {
  /** Key of the tokens in the forms of this session. */
  readonly key: Buffer;
  /** The number of forms that were made. */
  forms: number;
  /** What came of the forms that were sent, by their tokens. */
  readonly performed: Map<string, Promise<PerformedAction>>;
  /** The message at the top of the next page. */
  flash: Flash | undefined;
  /** The work that this session has started. */
  readonly jobs: Job[];
}

/** One-time links, and the sessions that they began. */
export interface Sessions {
  /** Makes a one-time link for 30 minutes. An earlier one that was not used stops working. */
  readonly newLink: () => string;
  /**
   * Uses a one-time link.
   *
   * @returns the value of the session's cookie, or undefined when the link was used before, is too old, was replaced or never made
   */
  readonly enter: (link: string) => string | undefined;
  /**
   * Finds the session of a cookie.
   *
   * @param inUse whether a person does something. Requests of a page's script do not keep a session alive
   */
  readonly find: (cookie: string, inUse: boolean) => Session | undefined;
}

/** A session ends after this time without use, and so does a link. */
export const idleMilliseconds = 30 * 60_000;

export interface SessionOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Buffer;
}

/** 256 bits, as RFC 6749 section 10.10 asks for what nobody may guess. */
const tokenBytes = 32;

/** Only digests are kept, so that a look-up by time tells nothing about a token. */
export function createSessions({ now, randomBytes }: SessionOptions): Sessions {
  const sessions = new Map<string, { readonly session: Session; usedAt: number }>();
  const newToken = () => randomBytes(tokenBytes).toString('base64url');
  let link: { readonly digest: string; readonly madeAt: number } | undefined;
  return {
    newLink: () => {
      const token = newToken();
      link = { digest: digestOf(token), madeAt: now() };
      return token;
    },
    enter: (token) => {
      if (digestOf(token) !== link?.digest || now() - link.madeAt >= idleMilliseconds) {
        return undefined;
      }
      link = undefined;
      const cookie = newToken();
      const session: Session = {
        key: randomBytes(tokenBytes),
        forms: 0,
        performed: new Map(),
        flash: undefined,
        jobs: [],
      };
      sessions.set(digestOf(cookie), { session, usedAt: now() });
      return cookie;
    },
    find: (cookie, inUse) => {
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
 * The token of a new form. It is valid for one session and one action, so no page of another site can send the form. Each
 * form has a token of its own, so a form that is sent twice is known.
 */
export function newFormToken(session: Session, action: string): string {
  session.forms += 1;
  return formToken(session, action, String(session.forms));
}

function formToken({ key }: Session, action: string, form: string): string {
  return `${form}.${createHmac('sha256', key).update(`${form} ${action}`).digest('base64url')}`;
}

/** Whether a form was made by this session for this action. */
export function isFormToken(session: Session, action: string, given: string): boolean {
  const [form = ''] = given.split('.');
  const right = formToken(session, action, form);
  // Digests have the same length, which a comparison in constant time needs.
  return timingSafeEqual(Buffer.from(digestOf(right)), Buffer.from(digestOf(given)));
}
