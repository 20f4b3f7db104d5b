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
  /** Answers with the same part. */
  readonly address: string;
  readonly everySeconds: number | undefined;
}

/** A part that is loaded again by itself, as long as there is a time for it. */
export function Live({ id, address, everySeconds, children }: PropsWithChildren<LiveProps>) {
  const loading = everySeconds === undefined ? {} : loadingOf(id, address, `every ${everySeconds}s`);
  return (
    <div id={id} class="stack" {...loading}>
      {children}
    </div>
  );
}

/** A part that takes long to read, so it is loaded after its page. Without scripts, a link leads to it. */
export function Later({ id, address }: Omit<LiveProps, 'everySeconds'>) {
  return (
    <div id={id} class="card" {...loadingOf(id, address, 'load')}>
      <p role="status" class="muted">
        AWS is being asked. <a href={address}>Show the {id} alone</a>
      </p>
    </div>
  );
}

function loadingOf(id: string, address: string, trigger: string) {
  return {
    'hx-get': address,
    'hx-trigger': trigger,
    'hx-select': `#${id}`,
    'hx-swap': 'outerHTML',
    'hx-headers': liveHeaders,
  };
}

/** Of what the page asks for by itself: the answer has no more than the part. */
export const liveHeaders = '{"x-console-live":"1"}';

/** What went wrong, why, and what to do. */
export function Problem({ children }: PropsWithChildren) {
  return (
    <div class="note bad" role="alert">
      {children}
    </div>
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
