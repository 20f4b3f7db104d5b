import type { Child } from 'hono/jsx';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import { messageOf, OperationError } from '../../operator/errors.ts';
import { hideSecrets } from '../../operator/text.ts';
import { Live } from '../components/detail.tsx';
import { type PageContext, RequestError } from './environment.ts';
import { isPoll } from './guard.ts';
import { Message } from './next-page.tsx';
import { page } from './respond.tsx';

/** Responds with an error: what happened, why, and what to do next. */
export function respondWithError(thrown: Error, c: PageContext): Response | Promise<Response> {
  const error = explainAwsError(thrown);
  const { title, status } = describeError(error);
  if ((status === 401 || status === 421) && isPoll(c)) {
    // The browser reloads the page. The page then shows that the session, or the console, has ended.
    c.header('hx-refresh', 'true');
    return c.body(null, status);
  }
  return page(c, { title, status }, <ErrorText error={error} />);
}

const descriptions = {
  'not found': { title: 'Not found', status: 404 },
  invalid: { title: 'That is not possible', status: 400 },
  failed: { title: 'That did not work', status: 422 },
  unknown: { title: 'The console failed', status: 500 },
} as const;

/** Returns the title and the status of the page of an error. */
export function describeError(error: unknown) {
  if (error instanceof RequestError) {
    return error;
  }
  return descriptions[error instanceof OperationError ? error.kind : 'unknown'];
}

/**
 * Responds with a part of a page. If the part cannot be read, an error replaces it, and the other parts stay.
 */
export async function partPage(
  c: PageContext,
  { id, title, trigger }: { readonly id: string; readonly title: string; readonly trigger?: string },
  reading: Promise<Child>,
): Promise<Response> {
  const content = await reading.catch((error: unknown) => <ErrorText error={explainAwsError(error)} />);
  return page(
    c,
    { title },
    <Live id={id} address={c.req.url} trigger={trigger}>
      {content}
    </Live>,
  );
}

/** The text of an error, with links to the next steps. */
export function ErrorText({ error }: { readonly error: unknown }) {
  const next = error instanceof OperationError ? error.next : [];
  return <Message message={hideSecrets(messageOf(error))} next={next} isError />;
}
