import { expect, test } from 'vitest';
import { createUse } from '../../registry/use.ts';

test('a service starts once, for all services that use it', async () => {
  const starts: string[] = [];
  const service = {
    start: async (name: string) => {
      starts.push(name);
      return { begin: () => undefined };
    },
  };
  const use = createUse('emulator');
  const [one, other] = await Promise.all([use(service), use(service)]);
  expect(other).toBe(one);
  expect(starts).toEqual(['emulator']);
});
