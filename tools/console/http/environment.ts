import type { Context } from 'hono';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { Clock } from './clock.ts';
import type { Session, Sessions } from './sessions.ts';

/** What the console is for, and what it needs. */
export interface ConsoleContext {
  readonly deployment: Deployment;
  /** What the checks of the overview look at. */
  readonly kind: 'local' | 'stack';
  /** In the header of every page: the stack's name, or `local run`. */
  readonly name: string;
  /** Refuses every change. */
  readonly readOnly: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** What to do for another one-time link, as a sentence. */
  readonly howToGetLink: string;
  /** Explains errors of AWS by the profile that was chosen. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A part of the console. */
export interface Section {
  readonly path: string;
  /** In the navigation. Absent: the navigation does not lead there. */
  readonly label?: string;
}

/** What every request has. `session` is there on all pages but that of the one-time link. */
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

/** What the console refuses before it asks AWS for anything. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 421;
  readonly title: string;

  constructor(status: Refusal['status'], title: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.title = title;
  }
}
