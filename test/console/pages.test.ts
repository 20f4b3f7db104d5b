import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';
import { pagesOf, seedWorld, type World } from './support/world.ts';

closePagesAfterEach();

let console: ConsoleWithAws;
let world: World;

beforeAll(async () => {
  console = await startConsoleWithAws();
  world = await seedWorld(console);
});
afterAll(() => console.stop());

describe('every page', () => {
  it('passes axe, light and dark', async () => {
    const page = await openPage(console);
    for (const path of pagesOf(world)) {
      await page.goto(`${console.origin}${path}`);
      await expectAccessible(page);
    }
  }, 300_000);

  it('fits 320 pixels', async () => {
    const page = await openPage(console, '/', { viewport: { width: 320, height: 640 } });
    for (const path of pagesOf(world)) {
      await page.goto(`${console.origin}${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320);
    }
  });

  it('weighs at most 150 KB with all that it loads', async () => {
    const visitor = await enter(console);
    const weigh = async (address: string) => Buffer.byteLength((await visitor.get(address)).text);
    for (const path of pagesOf(world)) {
      const { text } = await visitor.get(path);
      const loaded = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
        ([, address = '']) => address,
      );
      expect(loaded).toContain('/assets/htmx.js');
      const weights = await Promise.all([path, ...loaded].map(weigh));
      expect(
        weights.reduce((sum, bytes) => sum + bytes),
        path,
      ).toBeLessThanOrEqual(150_000);
    }
  });
});
