import { createServer } from 'node:http';
import { listen } from '../../support/listen.ts';
import { startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();

/** Cookie and Referer headers that the browser sends to a server of another program on this machine. */
const got: (string | undefined)[] = [];
const thief = createServer(({ headers }, response) => {
  got.push(headers.cookie, headers.referer);
  response.end();
});
const port = new URL(await listen(thief)).port;

test.for(['127.0.0.1', 'localhost', 'other.localhost'])(
  'a server on another port of %s gets neither the cookie nor the address',
  async (name) => {
    const page = await (await openPage(console, '/clients')).context().newPage();
    await page.goto(`${console.origin}/clients`);
    expect(await page.locator('h1').textContent()).toBe('Clients');
    got.length = 0;
    await page.evaluate(`location = 'http://${name}:${port}/'`);
    await page.waitForURL(`http://${name}:${port}/`);
    expect(got.length).toBeGreaterThan(0);
    expect(got.filter((header) => header !== undefined)).toEqual([]);
  },
);
