import { Live } from '../components/detail.tsx';
import { Text } from '../components/text.tsx';
import { type PageContext, RequestError } from '../http/environment.ts';
import { Message } from '../http/next-page.tsx';
import { ErrorText } from '../http/problem.tsx';
import { page } from '../http/respond.tsx';
import type { Job } from '../http/sessions.ts';

/** Work that exceeds the time limit of a page: its progress, and then its result. */
export function showJob(c: PageContext, id: string) {
  const job = c.var.session.jobs.find((one) => one.id === id);
  if (job === undefined) {
    throw new RequestError(
      404,
      'Not found',
      'This session did not start this work. Changes of the work are kept: check the client, file or organisation.',
    );
  }
  return page(
    c,
    { title: job.title },
    <>
      <Live id="job" trigger={job.outcome === undefined ? 'every 1s' : undefined}>
        <Outcome of={job} />
      </Live>
      <p>
        <a href={job.back}>Go back</a>
      </p>
    </>,
  );
}

const leaveNote = 'The work continues if you leave this page. It stops when the console stops.';

function Outcome({ of: { outcome, progress } }: { readonly of: Job }) {
  if (outcome === undefined) {
    return (
      <>
        <p role="status">
          <Text of={progress} />
        </p>
        <p class="muted">{leaveNote}</p>
      </>
    );
  }
  return 'error' in outcome ? <ErrorText error={outcome.error} /> : <Message {...outcome} />;
}
