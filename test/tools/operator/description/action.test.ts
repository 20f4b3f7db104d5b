import { clientCreation } from '../../../../tools/operator/clients/actions.ts';
import { getClient } from '../../../../tools/operator/clients/client.ts';
import type { Action } from '../../../../tools/operator/description/action.ts';
import { verbs } from '../../../../tools/operator/description/noun.ts';
import type { InputValues } from '../../../../tools/operator/description/question.ts';
import { fileCreation } from '../../../../tools/operator/files/actions.ts';
import { getFile } from '../../../../tools/operator/files/file.ts';
import { startAws } from '../../../support/aws.ts';
import { everyAction, validResponses } from '../support/every-action.ts';

const aws = await startAws();
await aws.publishKeys(JSON.stringify({ keys: [] }));

const work = () => ({
  deployment: aws.deployment,
  sleep: async () => undefined,
  progress: () => undefined,
  note: () => undefined,
});

test('each verb of each noun is one action', () => {
  const names = Object.entries(verbs).flatMap(([noun, own]) => own.map((verb) => `${noun} ${verb}`));
  expect(everyAction.map(({ noun, verb }) => `${noun} ${verb}`).toSorted()).toEqual(names.toSorted());
});

test.for(everyAction)('$noun $verb is described in sentences, with a title', ({ about, title }) => {
  expect(about).toMatch(/^[A-Z].*\.$/);
  expect(title).toMatch(/^[A-Z].*[A-Za-z]$/);
});

test.for(everyAction.filter(({ hasEntity }) => hasEntity))(
  '$noun $verb of an unknown id fails',
  async (action) => {
    const done = action
      .prepare(validResponses)(work(), 'unknown')
      .then(({ run }) => run(work()));
    await expect(done).rejects.toMatchObject({ name: 'OperationError', kind: 'not found' });
  },
);

/** Creates a different answer to each question of an action. */
function answersTo({ questions }: Action): InputValues {
  const responses = Object.entries(questions).map(([name, { input, choices = [] }]) => {
    const first = { text: `the-${name}`, flag: 'true', choices: choices[0]?.value ?? '' };
    return [name, name === 'allowFrom' ? validResponses.allowFrom : [first[input]]];
  });
  return Object.fromEntries(responses);
}

describe('answers to questions', () => {
  test.for([
    ['client', clientCreation, getClient],
    ['file', fileCreation, getFile],
  ] as const)('are all stored by %s create', async ([, action, find]) => {
    // The operator's confirmation is not stored, and the end of a secret is a time.
    const { ends: _ends, ...given } = answersTo(action);
    const { view } = await (await action.prepare(given)(work(), '')).run(work());
    const stored = JSON.stringify(await find(aws.deployment, view.id ?? ''));
    const lost = Object.entries(given).filter(([, response]) => !stored.includes(String(response)));
    expect(lost).toEqual([]);
  });

  test('are all checked before any of them is rejected', () => {
    const given = { organisation: ['a/b'], name: ['  '], id: ['orders'] };
    const errors = {
      organisation: expect.stringContaining('"a/b" cannot be the id of the organisation'),
      name: expect.stringContaining('not only spaces'),
    };
    expect(() => fileCreation.prepare(given)).toThrow(expect.objectContaining({ errors }));
  });
});
