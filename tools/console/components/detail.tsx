import type { PropsWithChildren } from 'hono/jsx';
import type { FilterValues } from '../../operator/lists/filters.ts';
import { withQuery } from '../http/addresses.ts';
import { Sentence } from './text.tsx';

interface LiveProps {
  readonly id: string;
  /** Address of this part. Default: the page itself. */
  readonly address?: string;
  /** htmx trigger of a reload (`hx-trigger`). Absent: the part is never reloaded. */
  readonly trigger: string | undefined;
}

/** A part that is loaded separately. The script sends `missed` when the page becomes visible again. */
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
 * A slow part, loaded after its page. Without scripts, a link leads to the part. The part shows its own
 * notice of damaged items.
 */
export function Later({ id, address }: Required<Pick<LiveProps, 'id' | 'address'>>) {
  return (
    <>
      <div id={`damage-${address.replace(/\?.*/, '')}`} hidden />
      <Live id={id} address={address} trigger="load">
        <p role="status" class="muted">
          Reading from AWS. <a href={address}>Show only the {id}</a>
        </p>
      </Live>
    </>
  );
}

/** The newest uploads of a selection, loaded after the page and kept up to date. */
export function LatestUploads({ of = {} }: { readonly of?: FilterValues }) {
  return (
    <>
      <h2>Latest uploads</h2>
      <Later id="uploads" address={withQuery('/uploads', { ...of, short: '1' })} />
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
