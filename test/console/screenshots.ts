/**
 * Makes pictures of every page of the console, at three widths, light and dark:
 *
 *     npm run screenshots -- FOLDER
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sharedBrowser } from './support/launch.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { pagesOf, seedWorld } from './support/world.ts';

const widths = [380, 768, 1280];
const schemes = ['light', 'dark'] as const;

const folder = resolve(process.argv[2] ?? 'dist/screenshots');
await mkdir(folder, { recursive: true });
const served = await startConsoleWithAws({ name: 'file-sync-dev' });
try {
  process.stdout.write(`${await takePictures(served)} pictures in ${folder}\n`);
} finally {
  await (await sharedBrowser()).close();
  await served.stop();
}

async function takePictures(console: ConsoleWithAws): Promise<number> {
  const pages = pagesOf(await seedWorld(console));
  const browser = await sharedBrowser();
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(console.newLink());
  for (const { name, path } of pages) {
    await page.goto(`${console.origin}${path}`);
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
