import type { Child, PropsWithChildren } from 'hono/jsx';
import { CopyButton, Time } from './text.tsx';

/** The facts of one thing: names and values. Those without a value are left out. */
export function Details({ rows }: { readonly rows: readonly (readonly [string, Child | undefined])[] }) {
  return (
    <dl class="details">
      {rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A part of a page, with its heading. */
export function Part({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A secret that is shown this one time. */
export function SecretOnce({ secret, fileName }: { readonly secret: string; readonly fileName: string }) {
  return (
    <div class="secret">
      <p id="secret-note">
        <strong>Save the client secret now.</strong> It cannot be shown again: only its digest is stored.
      </p>
      <p>
        <code id="secret" translate="no">
          {secret}
        </code>
      </p>
      <div class="buttons">
        <CopyButton text={secret} what="the client secret" />
        <button type="button" data-download="secret" data-file-name={fileName} hidden>
          Download
        </button>
      </div>
    </div>
  );
}

/** One event of a life. */
export interface TimelineEvent {
  readonly at?: string | undefined;
  readonly title: string;
  readonly text?: Child;
  /** Whether it has happened. */
  readonly state: 'done' | 'now' | 'coming';
}

/** Events in the order of time. */
export function Timeline({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <ol class="timeline">
      {events.map(({ at, title, text, state }) => (
        <li class={state} aria-current={state === 'now' ? 'step' : undefined}>
          <strong>{title}</strong> {at !== undefined && <Time of={at} />}
          {text !== undefined && <div>{text}</div>}
        </li>
      ))}
    </ol>
  );
}

/** A part that is loaded again by itself, as long as there is a time for it. `address` answers with the same part. */
export function Live({
  id,
  address,
  everySeconds,
  children,
}: PropsWithChildren<{
  readonly id: string;
  readonly address: string;
  readonly everySeconds: number | undefined;
}>) {
  return everySeconds === undefined ? (
    <div id={id}>{children}</div>
  ) : (
    <div
      id={id}
      hx-get={address}
      hx-trigger={`every ${everySeconds}s`}
      hx-select={`#${id}`}
      hx-swap="outerHTML"
      hx-headers='{"x-console-live":"1"}'
    >
      {children}
    </div>
  );
}

/** What went wrong, why, and what to do. */
export function Problem({ children }: PropsWithChildren) {
  return (
    <div class="problem" role="alert">
      {children}
    </div>
  );
}
