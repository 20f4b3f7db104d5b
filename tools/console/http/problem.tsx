import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import { CommandError, messageOf, NotFoundError, UsageError } from '../../operator/errors.ts';
import { hideSecrets } from '../../operator/text.ts';
import { Problem } from '../components/detail.tsx';
import { Outside } from '../components/layout.tsx';
import { useRequest } from '../components/request.ts';
import { Sentence } from '../components/text.tsx';
import { type PageContext, Refusal } from './environment.ts';
import { liveHeader } from './guard.ts';
import { html, page } from './respond.tsx';

/** Answers with what happened, why, and what to do next. */
export function answerError(thrown: Error, c: PageContext): Response | Promise<Response> {
  if (thrown instanceof Refusal) {
    return answerRefusal(thrown, c);
  }
  const error = explainAwsError(thrown, c.var.console.env);
  return page(
    c,
    describeError(error),
    <>
      <ErrorText error={error} />
      <WayOn c={c} />
    </>,
  );
}

function describeError(error: unknown) {
  if (error instanceof NotFoundError) {
    return { title: 'Not found', status: 404 } as const;
  }
  if (error instanceof UsageError) {
    return { title: 'That is not possible', status: 400 } as const;
  }
  if (error instanceof CommandError) {
    return { title: 'That did not work', status: 422 } as const;
  }
  return { title: 'The console failed', status: 500 } as const;
}

/** A page of an error is no dead end: it leads to the part of the console that it belongs to. */
function WayOn({ c }: { readonly c: PageContext }) {
  const { sections } = c.var;
  const section = sections.find(({ path }) => `${c.req.path}/`.startsWith(`${path}/`)) ?? sections[0];
  return section === undefined ? null : (
    <p>
      <a href={section.path}>Go to {section.label}</a>
    </p>
  );
}

/** The text of an error, with what helps next, as a command that is typed. */
export function ErrorText({ error }: { readonly error: unknown }) {
  const { commandLine } = useRequest();
  const next = error instanceof CommandError ? error.next : [];
  return (
    <Problem>
      <p>
        <Sentence of={hideSecrets(messageOf(error))} />
      </p>
      {next.map((parameters) => (
        <p>
          <code>{commandLine(parameters)}</code>
        </p>
      ))}
    </Problem>
  );
}

function answerRefusal(refusal: Refusal, c: PageContext): Response | Promise<Response> {
  const { status, title, message } = refusal;
  if (status === 401 && c.req.header(liveHeader) !== undefined) {
    // The page is loaded again, and then says that the session has ended.
    c.header('hx-refresh', 'true');
    return c.body(null, 401);
  }
  if (c.get('session') !== undefined) {
    return page(
      c,
      { title, status },
      <>
        <Problem>
          <p>{message}</p>
        </Problem>
        <WayOn c={c} />
      </>,
    );
  }
  return html(
    c,
    <Outside title={title}>
      <p>{message}</p>
    </Outside>,
    status,
  );
}
