/**
 * Makes pictures of every page of the console, at three widths, light and dark:
 *
 *     npm run screenshots -- FOLDER
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startRunningStack } from '../support/running-stack.ts';
import { sharedBrowser } from './support/launch.ts';
import { seedActivity, seedStackUploads } from './support/seed.ts';
import { startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { pagesOf, seedWorld } from './support/world.ts';

const widths = [380, 768, 1280];
const schemes = ['light', 'dark'] as const;

const folder = resolve(process.argv[2] ?? 'dist/screenshots');
await mkdir(folder, { recursive: true });
const served = await startConsoleWithAws({ name: 'file-sync-dev' });
const stack = await startRunningStack();
const ofStack = await startConsole(stack.deployment, { name: 'file-sync-dev' });
try {
  await seedActivity(stack);
  await seedStackUploads(stack);
  const taken =
    (await takePictures(served, pagesOf(await seedWorld(served)))) +
    (await takePictures(ofStack, [{ name: 'overview', path: '/overview?last=hour' }]));
  process.stdout.write(`${taken} pictures in ${folder}\n`);
} finally {
  await (await sharedBrowser()).close();
  await served.stop();
  await ofStack.stop();
  await stack.close();
}

async function takePictures(console: TestConsole, pages: ReturnType<typeof pagesOf>): Promise<number> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(console.newLink());
  for (const { name, path } of pages) {
    await page.goto(`${console.origin}${path}`);
    // What AWS is asked for may come into the page a little later.
    await page.getByText('AWS is being asked.').waitFor({ state: 'detached' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
  }
  return pages.length * widths.length * schemes.length;
}
