import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActivitySpan, activitySpans, rangeOf, readActivity } from '../../../operator/activity.ts';
import { readAlarms } from '../../../operator/alarms.ts';
import { explainAwsError } from '../../../operator/deployment/aws-errors.ts';
import { diagnose } from '../../../operator/doctor/diagnose.ts';
import { Live, Part } from '../../components/detail.tsx';
import { Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { ErrorText } from '../../http/problem.tsx';
import { addressOf, page, withQuery } from '../../http/respond.tsx';
import { ActivityPlots, Alarms } from './activity-plots.tsx';
import { Findings } from './findings.tsx';
import { type Kept, keep } from './kept.ts';

/** Is it up, what happened, and what needs doing. */
export const overview = new Hono<Env>();

overview.get('/', async (c) => {
  const { console } = c.var;
  const { deployment } = console;
  const span = spanOf(c.req.query('last'));
  const mustBeNew = c.req.query('check') === 'again';
  const [findings, activity, alarms] = await Promise.all([
    keep(console, 'checks', () => diagnose(patientOf(c), console.now), mustBeNew),
    keep(
      console,
      `activity ${span}`,
      () => readActivity(deployment, rangeOf(span, console.now())),
      mustBeNew,
    ),
    keep(console, 'alarms', () => readAlarms(deployment), mustBeNew),
  ]);
  if (mustBeNew) {
    return c.redirect(withQuery('/overview', { last: c.req.query('last') }), 303);
  }
  return page(
    c,
    { title: 'Overview' },
    <>
      <LivePart c={c} id="checks" kept={findings}>
        {(found) => <Findings findings={found} />}
      </LivePart>
      <Checked c={c} at={findings.at} />
      <Part title="Activity">
        <Spans chosen={span} />
        <LivePart c={c} id="activity" kept={activity}>
          {(found) => <ActivityPlots activity={found} />}
        </LivePart>
        <p class="hint">CloudWatch shows what happened about a minute later.</p>
      </Part>
      <section id="alarms">
        <h2>Alarms</h2>
        <LivePart c={c} id="alarm-states" kept={alarms}>
          {(found) => <Alarms alarms={found} />}
        </LivePart>
      </section>
    </>,
  );
});

function patientOf(c: PageContext) {
  const { deployment, kind } = c.var.console;
  return kind === 'local'
    ? ({ kind, deployment } as const)
    : ({ kind, name: deployment.stackName, awsConfig: deployment.awsConfig } as const);
}

function spanOf(given: string | undefined): ActivitySpan {
  return given === 'hour' || given === 'week' ? given : 'day';
}

/** Metrics cost money to read. */
const refreshSeconds = 300;

/** A part that says that it is being asked for, until it is known. It is asked for again when metrics have new values. */
function LivePart<Value>(props: {
  readonly c: PageContext;
  readonly id: string;
  readonly kept: Kept<Value>;
  readonly children: (value: Value) => Child;
}) {
  const { c, id, kept, children } = props;
  const { outcome } = kept;
  return (
    <Live id={id} address={addressOf(c)} everySeconds={outcome === undefined ? 1 : refreshSeconds}>
      {outcome === undefined ? (
        <p role="status">
          AWS is being asked. <a href={addressOf(c)}>Look again</a>
        </p>
      ) : 'error' in outcome ? (
        <ErrorText error={explainAwsError(outcome.error, c.var.console.env)} />
      ) : (
        children(outcome.value)
      )}
    </Live>
  );
}

function Checked({ c, at }: { readonly c: PageContext; readonly at: number }) {
  return (
    <p class="hint">
      Checked <Time of={new Date(at).toISOString()} />.{' '}
      <a href={withQuery('/overview', { last: c.req.query('last'), check: 'again' })}>Check again</a>
    </p>
  );
}

/** How far back. */
function Spans({ chosen }: { readonly chosen: ActivitySpan }) {
  return (
    <nav class="buttons" aria-label="Time">
      {(Object.keys(activitySpans) as ActivitySpan[]).map((span) => (
        <a
          class="button"
          href={withQuery('/overview', { last: span })}
          aria-current={span === chosen ? 'true' : undefined}
        >
          Last {span}
        </a>
      ))}
    </nav>
  );
}
