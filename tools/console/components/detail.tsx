import type { Child, PropsWithChildren } from 'hono/jsx';
import { Sentence } from './text.tsx';

/** The facts of one thing: names and values. */
export function Details({ rows }: { readonly rows: readonly (readonly [string, Child])[] }) {
  return (
    <dl class="details">
      {rows.map(([name, value]) => (
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
  /** The address that answers with this part. Default: the page itself. */
  readonly address?: string;
  /** When htmx loads the part again (`hx-trigger`). Absent: never. */
  readonly trigger: string | undefined;
}

/** A part that is loaded by itself. The script sends `missed` when the page is seen again. */
export function Live({ id, address = '', trigger, children }: PropsWithChildren<LiveProps>) {
  const loading = trigger && {
    'hx-get': address,
    'hx-trigger': `${trigger}, missed`,
    'hx-select': `#${id}`,
  };
  return (
    <div id={id} class="stack" {...loading}>
      {children}
    </div>
  );
}

/**
 * A part that takes long to read. The part is loaded after its page. Without scripts, a link leads to the part. The
 * part has its own notice of damaged items.
 */
export function Later({ id, address }: Required<Pick<LiveProps, 'id' | 'address'>>) {
  return (
    <>
      <div id={`damage-${address.replace(/\?.*/, '')}`} hidden />
      <Live id={id} address={address} trigger="load">
        <p role="status" class="card muted">
          Reading from AWS. <a href={address}>Show only the {id}</a>
        </p>
      </Live>
    </>
  );
}

/** Notes about the entity on the page. */
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
