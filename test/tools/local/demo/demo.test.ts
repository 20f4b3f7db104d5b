import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { adminLines } from '../../../../tools/local/demo/admin-lines.ts';

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

test.for([
  ['.local', '--local'],
  ['state/of mine', `--local --state '${resolve(projectRoot, 'state/of mine')}'`],
])('names the state folder in admin lines only if they need it: %s', ([folder = '', flags]) => {
  const stateDirectory = resolve(projectRoot, folder);
  const [first, ...others] = adminLines({ client: { client_id: 'c' }, fileId: 'f', stateDirectory });
  expect(first).toBe(`npm run -s admin -- ${flags} client show c`);
  expect(others).toContain(`npm run -s admin -- ${flags} upload list --file f`);
});
