import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { createApiUser } from '../support/api-user.ts';
import { useRunningStack } from '../support/use-running-stack.ts';

/** Checks the statements of the page for resource servers, and runs its Node.js sample unchanged. */

const pagePath = new URL('../../docs/resource-servers.md', import.meta.url);

type Verify = (token: string) => Promise<Record<string, unknown>>;

const folder = await temporaryFolder();
const stack = await useRunningStack();
const { token } = await createApiUser(stack);
const verify = await importSample(stack.baseUrl);

/**
 * Writes the sample of the page to a file, beside a node_modules folder like that of `npm install`, and
 * imports it.
 */
async function importSample(baseUrl: string): Promise<Verify> {
  const page = await readFile(pagePath, 'utf8');
  const code = /<!-- sample: verify-access-token\.mjs -->\n```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const path = join(folder, `verify-${encodeURIComponent(baseUrl)}.mjs`.replaceAll('%', '_'));
  await writeFile(path, code);
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  await symlink(modules, join(folder, 'node_modules')).catch(() => undefined);
  vi.stubEnv('FILE_SYNC_BASE_URL', baseUrl);
  const sample = (await import(pathToFileURL(path).href)) as { verifyAccessToken: Verify };
  return sample.verifyAccessToken;
}

describe('the Node.js sample', () => {
  test('accepts a token of the service', async () => {
    expect(await verify(token)).toMatchObject({ organisation_id: 'acme', scope: 'volume:read sync:create' });
  });

  test('rejects a token of another deployment', async () => {
    const asOther = await importSample(stack.baseUrl.replace('127.0.0.1', 'localhost'));
    await expect(asOther(token)).rejects.toMatchObject({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
  });
});
