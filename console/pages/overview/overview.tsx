import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { explainAwsError } from '../../../cli/deployment/aws-errors.ts';
import { type ActivitySpan, activitySpans, rangeOf, readActivity } from '../../../cli/operations/activity.ts';
import { readAlarms } from '../../../cli/operations/alarms.ts';
import { diagnose } from '../../../cli/operations/doctor/diagnose.ts';
import { readFirstSteps } from '../../../cli/operations/first-steps.ts';
import { listSigningKeys } from '../../../cli/operations/signing-keys.ts';
import { Live, Part } from '../../components/detail.tsx';
import { Id, Text, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { ErrorText } from '../../http/problem.tsx';
import { addressOf, page, withQuery } from '../../http/respond.tsx';
import { Age } from '../shared/age.tsx';
import { ActivityPlots, Alarms } from './activity-plots.tsx';
import { Findings } from './findings.tsx';
import { FirstStepsPart } from './first-steps-part.tsx';
import { type Kept, keep } from './kept.ts';

/** Is it up, what happened, and what needs doing. */
export const overview = new Hono<Env>();

overview.get('/', async (c) => {
  const { console } = c.var;
  const { deployment, commandLine } = console;
  const span = spanOf(c.req.query('last'));
  const mustBeNew = c.req.query('check') === 'again';
  const [findings, activity, alarms, keys, steps] = await Promise.all([
    keep(console, 'checks', () => diagnose(patientOf(c), console.now), mustBeNew),
    keep(
      console,
      `activity ${span}`,
      () => readActivity(deployment, rangeOf(span, console.now())),
      mustBeNew,
    ),
    keep(console, 'alarms', () => readAlarms(deployment), mustBeNew),
    keep(console, 'keys', () => listSigningKeys(deployment), mustBeNew),
    readFirstSteps(deployment).catch(() => undefined),
  ]);
  if (mustBeNew) {
    return c.redirect(withQuery('/overview', { last: c.req.query('last') }), 303);
  }
  return page(
    c,
    { title: 'Overview' },
    <>
      <LivePart c={c} id="checks" kept={findings}>
        {(found) => <Findings findings={found} command={commandLine(['doctor'])} />}
      </LivePart>
      <Checked c={c} at={findings.at} />
      {steps !== undefined && <FirstStepsPart steps={steps} />}
      <Part title="Activity">
        <Spans chosen={span} />
        <LivePart c={c} id="activity" kept={activity}>
          {(found) => <ActivityPlots activity={found} />}
        </LivePart>
        <p class="hint">CloudWatch shows what happened about a minute later.</p>
      </Part>
      <section class="part" id="alarms">
        <h2>Alarms</h2>
        <LivePart c={c} id="alarm-states" kept={alarms}>
          {(found) => <Alarms alarms={found} />}
        </LivePart>
      </section>
      <Part title="Age of the keys">
        <LivePart c={c} id="key-ages" kept={keys}>
          {(found) => (
            <ul class="plain">
              {found.map(({ kid, state, signs, since }) => (
                <li>
                  <a href="/signing-keys">
                    <Id of={kid} />
                  </a>{' '}
                  <Text of={`${state}${signs ? ', signs' : ''}, since`} /> <Time of={since} />{' '}
                  <Age since={Date.parse(since)} now={console.now()} />
                </li>
              ))}
            </ul>
          )}
        </LivePart>
      </Part>
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

/** Metrics cost money to read, so they are read again only when a new value may be there. */
function refreshSeconds(c: PageContext): number {
  return Math.min(300, activitySpans[spanOf(c.req.query('last'))].periodSeconds);
}

/** A part that says that it is being asked for, until it is known. It is kept up to date while the page is open. */
function LivePart<Value>(props: {
  readonly c: PageContext;
  readonly id: string;
  readonly kept: Kept<Value>;
  readonly children: (value: Value) => Child;
}) {
  const { c, id, kept, children } = props;
  const { outcome } = kept;
  const { env, commandLine } = c.var.console;
  if (outcome === undefined) {
    return (
      <Live id={id} address={addressOf(c)} everySeconds={1}>
        <p role="status">
          AWS is being asked. <a href={addressOf(c)}>Look again</a>
        </p>
      </Live>
    );
  }
  return (
    <Live id={id} address={addressOf(c)} everySeconds={refreshSeconds(c)}>
      {'error' in outcome ? (
        <ErrorText error={explainAwsError(outcome.error, env)} commandLine={commandLine} />
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
    <nav class="pager" aria-label="Time">
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
