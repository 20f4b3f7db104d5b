import type { Child, PropsWithChildren } from 'hono/jsx';
import { Sentence } from './text.tsx';

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

interface LiveProps {
  readonly id: string;
  /** Answers with the same part. Default: the page itself. */
  readonly address?: string;
  /** When it is loaded, as htmx has it. Absent: it stays as it is. */
  readonly trigger: string | undefined;
}

/** A part that is loaded by itself. */
export function Live({ id, address = '', trigger, children }: PropsWithChildren<LiveProps>) {
  const loading = trigger && { 'hx-get': address, 'hx-trigger': trigger, 'hx-select': `#${id}` };
  return (
    <div id={id} class="stack" {...loading}>
      {children}
    </div>
  );
}

/** A part that takes long to read, so it is loaded after its page. Without scripts, a link leads to it. */
export function Later({ id, address }: Required<Pick<LiveProps, 'id' | 'address'>>) {
  return (
    <Live id={id} address={address} trigger="load">
      <p role="status" class="card muted">
        AWS is being asked. <a href={address}>Show the {id} alone</a>
      </p>
    </Live>
  );
}

/** What to know of the thing on the page. */
export function Notes({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((note) => (
        <p class="note warning">
          <Sentence of={note} />
        </p>
      ))}
    </>
  );
}
