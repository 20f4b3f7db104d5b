import { Hono } from 'hono';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import type { CountOptions, Deletion } from '../../../operator/organisations/deletion.ts';
import { counted, formatSeconds, quoted } from '../../../operator/text.ts';
import type { WorkOptions } from '../../../operator/uploads/outstanding.ts';
import { Text } from '../../components/text.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { ConsoleContext, Env, PageContext } from '../../http/environment.ts';
import { startJob } from '../../http/jobs.ts';
import { confirmPage, goTo, path } from '../../http/respond.tsx';

/** A page that asks for a confirmation must not wait until a million uploads are counted. */
const maximumCountMilliseconds = 2000;

/** Looks into a deletion. Undefined: there is nothing left to delete. */
export type Plan = (
  deployment: Deployment,
  id: string,
  options: CountOptions,
) => Promise<Deletion | undefined>;

/** How a page counts what a deletion would remove. */
export function countOptions({ now }: ConsoleContext): CountOptions {
  return { now: now(), progress: () => undefined, isTimeUp: timeLimit(now, maximumCountMilliseconds) };
}

/** How work on many uploads tells how far it is. */
export function jobOptions({ now, sleep }: ConsoleContext, report: (progress: string) => void): WorkOptions {
  return {
    progress: (done) => report(`${counted(done, 'upload')} so far.`),
    waiting: (milliseconds) =>
      report(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
    sleep,
    now,
  };
}

/** The pages of the deletion of a file or a client: one says what it removes, and asks. */
export function deletionPages(noun: 'file' | 'client', plan: Plan): Hono<Env> {
  const pages = new Hono<Env>();
  pages.get('/:id/delete', (c) => askPage(c, noun, c.req.param('id'), plan));
  pages.post('/:id/delete', (c) => startDeletion(c, noun, c.req.param('id'), plan));
  return pages;
}

async function askPage(c: PageContext, noun: 'file' | 'client', id: string, plan: Plan) {
  const back = path(`${noun}s`, id);
  const deletion = await plan(c.var.console.deployment, id, countOptions(c.var.console));
  if (deletion === undefined) {
    return goTo(c, back, `This ${noun} is already deleted.`);
  }
  return confirmPage(
    c,
    { title: `Delete a ${noun}`, label: `Delete the ${noun}`, danger: true, back },
    <p>
      <Text of={deletion.question} />
    </p>,
  );
}

/** Begins a deletion that was confirmed. */
export function startDeletion(
  c: PageContext,
  noun: 'file' | 'client' | 'organisation',
  id: string,
  plan: Plan,
): Response {
  const { console } = c.var;
  const job = { title: `Deleting the ${noun} ${quoted(id)}`, back: path(`${noun}s`, id) };
  return startJob(c, job, async (report) => {
    const deletion = await plan(console.deployment, id, countOptions(console));
    const done = await deletion?.run(jobOptions(console, report));
    return (
      `The ${noun} was deleted, with ${counted(done?.uploads ?? 0, 'upload')}. ` +
      `${counted(done?.cancelled ?? 0, 'upload URL')} ended.`
    );
  });
}
