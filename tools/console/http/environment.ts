import type { Context } from 'hono';
import type { ConsoleRequest } from '../../terminal/console-request.ts';
import type { Clock } from './clock.ts';
import type { Session, Sessions } from './sessions.ts';

/** Deployment and settings of the console. Every page shows the name in its header. */
export interface ConsoleContext extends Pick<ConsoleRequest, 'deployment' | 'name' | 'readOnly'> {
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Sentence that explains how to get another one-time link. */
  readonly newLinkHint: string;
}

/** Variables of every request. `session` is set on all pages except the page of the one-time link. */
export interface Env {
  Variables: {
    readonly console: ConsoleContext;
    readonly clock: Clock;
    readonly sessions: Sessions;
    readonly session: Session;
  };
}

/** A request to a page of the console. */
export type PageContext = Context<Env>;

/** A request that the console rejects before it calls AWS. */
export class RequestError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 421;
  readonly title: string;

  constructor(status: RequestError['status'], title: string, message: string) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.title = title;
  }
}
