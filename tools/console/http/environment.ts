import type { Context } from 'hono';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { Clock } from './clock.ts';
import type { Session, Sessions } from './sessions.ts';

/** The deployment of the console, and what the console needs. */
export interface ConsoleContext {
  readonly deployment: Deployment;
  /** Whether the overview checks a local run or a stack. */
  readonly kind: 'local' | 'stack';
  /** In the header of every page: the stack's name, or `local run`. */
  readonly name: string;
  /** Rejects every change. */
  readonly readOnly: boolean;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** How to get another one-time link, as a sentence. */
  readonly howToGetLink: string;
  /** Tells the explanations of AWS errors which profile was chosen. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A part of the console. */
export interface Section {
  readonly path: string;
  /** The text of the link in the navigation. Absent: the navigation has no link to the section. */
  readonly label?: string;
}

/** What every request has. All pages have `session`, except the page of the one-time link. */
export interface Env {
  Variables: {
    readonly console: ConsoleContext;
    readonly clock: Clock;
    readonly sections: readonly Section[];
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
