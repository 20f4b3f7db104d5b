import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSigningKeys, rotateSigningKey } from '../../../tools/operator/signing-keys.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { closePagesAfterEach, openPage } from '../../tools/console/support/browser.ts';
import { startConsole, type TestConsole } from '../../tools/console/support/serve.ts';
import { enter, tokenOf } from '../../tools/console/support/visitor.ts';

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
const kids = async () => (await keys()).map(({ kid }) => kid);
const kidOf = async (state: string) => (await keys()).find((key) => key.state === state)?.kid ?? '';

describe('signing keys', () => {
  it('say what each does, and are rotated', async () => {
    const nextKid = await kidOf('next');
    const page = await openPage(console, '/signing-keys');
    await page.getByText('signs', { exact: true }).waitFor();
    await page.getByText(/^The keys rotate by themselves every \d+ days/).waitFor();
    await page.getByRole('link', { name: 'Rotate the keys now' }).click();
    await page.getByText('The new key signs within five minutes.').waitFor();
    await page.getByRole('button', { name: 'Rotate the keys' }).click();
    await page.getByText(`"${nextKid}" is the current key`).waitFor();
    expect(await kidOf('current')).toBe(nextKid);
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByText('retired', { exact: true }).waitFor();
  });

  it('are revoked, after it is said what that does', async () => {
    const kid = await kidOf('next');
    const page = await openPage(console, '/signing-keys');
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Copy ${kid}` }) })
      .getByRole('link', { name: 'Revoke' })
      .click();
    await page.getByText('has not signed yet: all access tokens stay valid').waitFor();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText(`The key "${kid}" was revoked at`).waitFor();
    expect(await kids()).not.toContain(kid);
  });

  it('are not revoked on a confirmation that is no longer true', async () => {
    const visitor = await enter(console);
    const kid = await kidOf('next');
    const action = `/signing-keys/${kid}/revoke`;
    const { text } = await visitor.get(action);
    await rotateSigningKey(stack.deployment);
    const shown = /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const fields = new URLSearchParams({ token: tokenOf(text, action), shown });
    const answer = await visitor.post(action, String(fields));
    expect([answer.status, answer.text.includes('Nothing was revoked')]).toEqual([400, true]);
    expect(await kids()).toContain(kid);
  });
});
