import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as engine } from 'playwright-core';
import { sharedFolderVariable } from '../../../support/assemblies.ts';

let browser: Promise<Browser> | undefined;

/** Browser of this process. All files share it, because a start takes a second. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

/**
 * Switches for a container without a graphics card. The default switches of the package would turn off the
 * same-origin policy, which tests of attacks need, and run the browser in one process, which ends when the
 * first page is closed.
 */
const switches = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--font-render-hinting=none'];

async function launch(): Promise<Browser> {
  try {
    return await engine.launch({
      executablePath: await unpacked(),
      args: [...switches],
      headless: true,
    });
  } catch (error) {
    throw new Error(
      'The browser of @sparticuz/chromium could not start, so no page of the console can be tested. It needs Linux on ' +
        `x86-64 and 300 MB in the folder for temporary files. ${String(error)}`,
    );
  }
}

/**
 * Returns the path of the browser. The first process of a test run unpacks it, and the others wait for that
 * process.
 */
async function unpacked(): Promise<string> {
  const folder = process.env[sharedFolderVariable];
  if (folder === undefined) {
    return chromium.executablePath();
  }
  const done = join(folder, 'browser');
  try {
    await mkdir(`${done}.making`);
  } catch {
    while (!existsSync(done)) {
      await sleep(50);
    }
    return chromium.executablePath();
  }
  try {
    return await chromium.executablePath();
  } finally {
    await writeFile(done, '');
  }
}
