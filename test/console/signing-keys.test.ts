import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSigningKeys } from '../../cli/operations/signing-keys.ts';
import { type RunningStack, startRunningStack } from '../support/running-stack.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { startConsole, type TestConsole } from './support/serve.ts';
import { enter, tokenOf, type Visitor } from './support/visitor.ts';

closePagesAfterEach();

let stack: RunningStack;
let console: TestConsole;

beforeAll(async () => {
  stack = await startRunningStack();
  console = await startConsole(stack.deployment);
}, 60_000);
afterAll(async () => {
  await console?.stop();
  await stack?.close();
});

const keys = () => listSigningKeys(stack.deployment);
const kidOf = async (state: string) => (await keys()).find((key) => key.state === state)?.kid ?? '';

/** Waits until the work behind a page has ended. */
async function outcomeOf(visitor: Visitor, page: string): Promise<string> {
  let text = '';
  await expect
    .poll(
      async () => {
        text = (await visitor.get(page)).text;
        return text;
      },
      { timeout: 20_000 },
    )
    .not.toContain('hx-get');
  return text;
}

describe('signing keys in the browser', () => {
  it('say what each does, and are rotated by keyboard alone', async () => {
    const nextKid = await kidOf('next');
    const page = await openPage(console, '/signing-keys');
    await page.getByText('signs', { exact: true }).waitFor();
    await page.getByText(/^The keys rotate by themselves every \d+ days/).waitFor();
    await page.getByRole('link', { name: 'Rotate the keys now' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The new key signs within five minutes.').waitFor();
    await page.getByRole('button', { name: 'Rotate the keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`"${nextKid}" is the current key`).waitFor();
    expect(await kidOf('current')).toBe(nextKid);
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByText('retired', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('are rotated and revoked without scripts', async () => {
    const page = await openPage(console, '/signing-keys/rotate', { javaScriptEnabled: false });
    const nextKid = await kidOf('next');
    await page.getByRole('button', { name: 'Rotate the keys' }).click();
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.content();
        },
        { timeout: 20_000 },
      )
      .toContain('is the current key');
    expect(await kidOf('current')).toBe(nextKid);
  });

  it('are revoked, after it is said what that does', async () => {
    const page = await openPage(console, `/signing-keys/${await kidOf('next')}`);
    const kid = await kidOf('next');
    await page.getByText('has not signed yet: all access tokens stay valid').waitFor();
    await page.getByRole('link', { name: 'Revoke this key' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText(`The key "${kid}" was revoked at`).waitFor();
    expect((await keys()).map((key) => key.kid)).not.toContain(kid);
  });

  it('that have signed are all revoked', async () => {
    const before = await keys();
    const signed = before.filter(({ state, signs }) => signs || state === 'retired').map(({ kid }) => kid);
    const page = await openPage(console, '/signing-keys');
    await page.getByRole('link', { name: 'Revoke every key that has signed' }).click();
    await page.getByText('Every access token issued so far becomes invalid').waitFor();
    await page.getByRole('button', { name: `Revoke ${signed.length} key` }).click();
    await page.getByText(`The key "${signed[0]}" was revoked at`).waitFor();
    const after = (await keys()).map(({ kid }) => kid);
    expect(after.filter((kid) => signed.includes(kid))).toEqual([]);
    expect((await keys()).filter(({ signs }) => signs)).toHaveLength(1);
  });
});

describe('signing keys of two operators', () => {
  it('are rotated once each or refused, and one key signs', async () => {
    const visitors = [await enter(console), await enter(console)];
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.submit('/signing-keys/rotate', '/signing-keys/rotate')),
    );
    const outcomes = await Promise.all(
      answers.map(({ headers }, index) =>
        outcomeOf(visitors[index] as Visitor, headers.location ?? 'no job'),
      ),
    );
    for (const text of outcomes) {
      expect(text).toMatch(/is the current key|The rotation could not start|A previous rotation/);
    }
    expect(outcomes.join()).toContain('is the current key');
    const after = await keys();
    expect(after.filter(({ signs }) => signs)).toHaveLength(1);
    expect(after.filter(({ state }) => state === 'current')).toHaveLength(1);
    expect(after.filter(({ state }) => state === 'next')).toHaveLength(1);
  });

  it('are not revoked on a confirmation that is no longer true', async () => {
    const visitor = await enter(console);
    const kid = await kidOf('next');
    const action = `/signing-keys/${kid}/revoke`;
    const { text } = await visitor.get(action);
    const other = await enter(console);
    const { headers } = await other.submit('/signing-keys/rotate', '/signing-keys/rotate');
    await outcomeOf(other, headers.location ?? '');
    const shown = /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const answer = await visitor.post(
      action,
      String(new URLSearchParams({ token: tokenOf(text, action), shown })),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Nothing was revoked');
    expect((await keys()).map((key) => key.kid)).toContain(kid);
  });
});

describe('refusals of signing keys', () => {
  it('name what does not exist, and lead to the keys', async () => {
    const visitor = await enter(console);
    const answer = await visitor.get('/signing-keys/none');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('No published signing key has the kid');
    expect(answer.text).toContain('href="/signing-keys"');
  });

  it('hold in a console that only reads', async () => {
    const reading = await startConsole(stack.deployment, { readOnly: true });
    try {
      const before = await keys();
      const visitor = await enter(reading);
      expect((await visitor.submit('/signing-keys/rotate', '/signing-keys/rotate')).status).toBe(403);
      const revoke = `/signing-keys/${before[0]?.kid}/revoke`;
      expect((await visitor.submit(revoke, revoke)).status).toBe(403);
      expect(await keys()).toEqual(before);
    } finally {
      await reading.stop();
    }
  });
});
