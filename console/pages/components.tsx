import { Hono } from 'hono';
import { Consequences, Details, Part, Problem, SecretOnce, Timeline } from '../components/detail.tsx';
import { ActionButton, Checks, Choice, Field, Form, FormErrors, Switch } from '../components/form.tsx';
import { Empty, Exports, List, ListSummary, Pager } from '../components/list.tsx';
import { Plot } from '../components/plot.tsx';
import { Badge, Bytes, Id, Text, Time } from '../components/text.tsx';
import type { Env } from '../http/environment.ts';
import { page } from '../http/respond.tsx';

/** Every component with made-up content, for those who change the console. */
export const componentPages = new Hono<Env>();

const start = Date.parse('2026-01-31T12:00:00Z');
const minute = 60_000;
const points = Array.from({ length: 60 }, (_, index) => ({
  at: start + index * minute,
  value: Math.round(20 + 15 * Math.sin(index / 7)),
}));

componentPages.get('/', (c) =>
  page(
    c,
    { title: 'Components' },
    <>
      <p>
        What pages of the console are made of. The forms lead nowhere. See <code>console/components/</code>.
      </p>
      <Part title="Text">
        <Details
          rows={[
            ['Text', <Text of={'A name with markup <b>, a control \u0007 and a direction \u202egnp.exe'} />],
            ['Id', <Id of="orders" copy />],
            ['Time', <Time of="2026-01-31T12:00:00.000Z" />],
            ['Bytes', <Bytes of={123_456_789} />],
            [
              'Badge',
              <>
                <Badge>plain</Badge> <Badge tone="good">good</Badge> <Badge tone="warning">warning</Badge>{' '}
                <Badge tone="bad">bad</Badge>
              </>,
            ],
          ]}
        />
      </Part>
      <Part title="List">
        <ListSummary>2 things, newest first.</ListSummary>
        <List
          label="Things"
          columns={[
            { heading: 'Name', cell: ({ name }) => <a href="/components">{name}</a> },
            { heading: 'Size', cell: ({ size }) => <Bytes of={size} />, align: 'right' },
          ]}
          rows={[
            { name: 'one', size: 1 },
            { name: 'two', size: 2_000_000 },
          ]}
        />
        <Pager first="/components" next="/components" />
        <Exports csv="/components" json="/components" />
        <Empty title="There are no things yet.">
          <p>What to do about it.</p>
        </Empty>
      </Part>
      <Part title="Form">
        <FormErrors errors={{ example: 'What is wrong, and what to enter.' }} />
        <Form action="/components" label="Change it" cancel="/components">
          <Field name="example" label="Field" help="What to enter." error="What is wrong." value="entered" />
          <Choice name="choice" label="Choice" options={[{ value: 'a', label: 'one' }]} />
          <Checks
            name="checks"
            label="Checks"
            values={['a']}
            options={[
              { value: 'a', label: 'one' },
              { value: 'b', label: 'two' },
            ]}
          />
        </Form>
        <div class="buttons">
          <Switch action="/components" label="On" on />
          <Switch action="/components" label="Off" on={false} />
          <ActionButton action="/components" label="Action" />
          <ActionButton action="/components" label="Dangerous action" danger />
        </div>
      </Part>
      <Part title="Messages">
        <Problem>
          <p>What happened, why, and what to do next.</p>
        </Problem>
        <Consequences>
          <p>What will happen.</p>
        </Consequences>
        <SecretOnce secret="the secret" fileName="secret.txt" />
      </Part>
      <Part title="Timeline">
        <Timeline
          events={[
            { at: '2026-01-31T12:00:00.000Z', title: 'First', state: 'done' },
            { at: '2026-01-31T13:00:00.000Z', title: 'Second', text: 'With a text.', state: 'now' },
            { title: 'Third', state: 'coming' },
          ]}
        />
      </Part>
      <Part title="Plot">
        <Plot
          title="Things per minute"
          description="between 5 and 35 in the hour from 12:00 UTC"
          points={points}
          from={start}
          until={start + 60 * minute}
        />
      </Part>
    </>,
  ),
);
