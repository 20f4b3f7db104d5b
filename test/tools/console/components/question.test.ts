import { expect, test } from 'vitest';
import { QuestionFields } from '../../../../tools/console/components/question.tsx';
import { asksScopes, asksText, asksWhether } from '../../../../tools/operator/description/question.ts';
import { missingIn } from '../support/read-page.ts';
import { render } from '../support/render.ts';

const asks = {
  name: asksText('Name', 'the display name', String),
  grace: asksText('Grace', 'the time', String, '<time>', '24h'),
  scope: asksScopes,
  sync: asksWhether('Syncing', 'let clients sync'),
};
const none = { values: {}, errors: {} };
const given = { name: ['Orders', 'x'], scope: ['sync:create'], sync: ['true'] };

test.for([
  [
    'a question for a text has its help, and must be answered',
    none,
    '<label for="field-name">Name</label><input id="field-name" name="name" value="" required="" dir="auto" autocomplete="off" spellcheck="false" aria-describedby="about-name"/><div id="about-name"><p class="muted">The display name.</p></div>',
  ],
  ['a question can have a usual answer', none, 'name="grace" value="24h" dir'],
  [
    'a question with choices says what each means',
    none,
    '<legend>Scopes</legend>',
    '<input type="checkbox" name="scope" value="volume:read"/>volume:read<span class="muted">',
    '<p class="muted">What the client may do: one or more scopes.</p>',
  ],
  [
    'a flag says what it does',
    none,
    'value="true"/>Let clients sync.<span class="muted"></span></label><div id="about-sync"></div>',
  ],
  [
    'a question shows what was entered',
    { values: given, errors: {} },
    'value="Orders"',
    'value="volume:read"/>',
    'value="sync:create" checked=""',
    'value="true" checked=""',
  ],
  [
    'a wrong answer has the focus, and says what is wrong',
    { values: {}, errors: { name: 'A name is needed.' } },
    'aria-invalid="true" autofocus=""',
    '<p class="muted">The display name.</p><p class="error" role="alert">A name is needed.</p></div>',
  ],
] as const)('%s', ([, entered, ...parts]) => {
  expect(missingIn(render(QuestionFields, { asks, entered }), parts)).toEqual([]);
});
