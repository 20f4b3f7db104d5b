import { Hono } from 'hono';
import { countDeadLetters } from '../../../operator/dead-letters.ts';
import { describeLeft, describeReplay, requireAllReplayed } from '../../../operator/replay-report.ts';
import { replayUploads } from '../../../operator/replay-uploads.ts';
import { counted } from '../../../operator/text.ts';
import { Empty } from '../../components/list.tsx';
import type { Env } from '../../http/environment.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, page } from '../../http/respond.tsx';

/** The dead-letter queue, and its replay. */
export const replayPages = new Hono<Env>();

replayPages.get('/replay', async (c) => {
  const { waiting, received } = await countDeadLetters(c.var.console.deployment);
  const count = waiting + received;
  const title = 'Dead-letter queue';
  if (count === 0) {
    return page(
      c,
      { title },
      <Empty title="The dead-letter queue is empty.">
        <p>Every upload whose bytes arrived was recorded, or is about to be.</p>
      </Empty>,
    );
  }
  return confirmPage(
    c,
    { title, label: `Replay ${counted(count, 'event')}`, back: '/uploads' },
    <>
      <p>
        {counted(count, 'upload event')} could not be recorded: the bytes are stored, but the uploads are not
        completed.
      </p>
      <p>
        First read the log of the record-upload function and fix the cause. The replay sends every event to
        the function again. Recorded events leave the queue; what fails stays. It can be repeated safely.
      </p>
    </>,
  );
});

replayPages.post('/replay', (c) => {
  const { deployment, sleep } = c.var.console;
  const job = { title: 'Replaying the dead-letter queue', back: '/uploads/replay' };
  return startJob(c, job, async (report, note) => {
    const outcome = await replayUploads(deployment, {
      onFailure: ({ message_id, reason }) => note(`${message_id} failed: ${reason}`),
      onThrottled: (milliseconds) =>
        report(`Lambda is busy: waiting ${milliseconds / 1000} s, then going on.`),
      progress: (done) => report(`${counted(done, 'event')} tried so far.`),
      sleep,
    });
    const sentences = [describeReplay(outcome), ...describeLeft(outcome)];
    if (outcome.failed > 0 || outcome.left !== undefined) {
      sentences.forEach(note);
    }
    requireAllReplayed(outcome);
    return sentences;
  });
});
