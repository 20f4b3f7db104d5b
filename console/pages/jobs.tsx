import { Hono } from 'hono';
import { hideSecrets } from '../../cli/text.ts';
import { Live } from '../components/detail.tsx';
import { Sentence, Text } from '../components/text.tsx';
import { type Env, Refusal } from '../http/environment.ts';
import type { Job } from '../http/jobs.ts';
import { ErrorText } from '../http/problem.tsx';
import { page, path } from '../http/respond.tsx';

/** Work that takes longer than a page: how far it is, and what came of it. */
export const jobPages = new Hono<Env>();

jobPages.get('/:id', (c) => {
  const job = c.var.session.jobs.find(c.req.param('id'));
  if (job === undefined) {
    throw new Refusal(
      404,
      'Not found',
      'This session knows no such work. What it did stays done: look at what it was for.',
    );
  }
  return page(
    c,
    { title: job.title },
    <>
      <JobState job={job} commandLine={c.var.console.commandLine} />
      <p>
        <a href={job.back}>Go back</a>
      </p>
    </>,
  );
});

function JobState({
  job,
  commandLine,
}: {
  readonly job: Job;
  readonly commandLine: (of: readonly string[]) => string;
}) {
  if (job.outcome === undefined) {
    return (
      <Live id="job" address={path('jobs', job.id)} everySeconds={1}>
        <p role="status">
          <Text of={job.progress || 'It has begun.'} />
        </p>
        <p class="hint">It goes on when you leave this page. Stopping the console stops it.</p>
      </Live>
    );
  }
  return (
    <div id="job">
      {'error' in job.outcome ? (
        <ErrorText error={job.outcome.error} commandLine={commandLine} />
      ) : (
        <div class="flash" role="status">
          {job.outcome.sentences.map((sentence) => (
            <p>
              <Sentence of={sentence} />
            </p>
          ))}
        </div>
      )}
      {job.notes.length > 0 && (
        <ul>
          {job.notes.map((sentence) => (
            <li>
              <Text of={hideSecrets(sentence)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
