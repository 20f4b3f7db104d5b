import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import type { ConsoleContext } from '../../../tools/console/http/environment.ts';
import { serveConsole } from '../../../tools/console/serve.ts';
import { send } from './support/visitor.ts';

/** Serves a console whose successive opens return the given contexts or errors. */
async function serve(port: number | undefined, ...contexts: readonly (Partial<ConsoleContext> | Error)[]) {
  const left = [...contexts];
  const open = async () => {
    const response = left.shift();
    if (response instanceof Error || response === undefined) {
      throw response ?? new Error('It was opened again.');
    }
    return response as ConsoleContext;
  };
  const console = await serveConsole({ port, portFlag: '--console-port', now: Date.now, open });
  atEnd(console.close);
  return { ...console, address: `${console.origin}/` };
}

test('a second console has a free port, and another host name', async () => {
  const [first, second] = [await serve(undefined), await serve(undefined)];
  expect(second.port).not.toBe(3100);
  expect(new URL(second.origin).hostname).not.toBe(new URL(first.origin).hostname);
});

// Browsers try the IPv4 and the IPv6 loopback address.
test('a port that another program has on [::1] counts as taken', async () => {
  const other = createServer();
  await once(other.listen(0, '::1'), 'listening');
  atEnd(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(serve(port)).rejects.toThrow(`The console cannot use port ${port}: address already in use`);
});

test('a console listens on [::1] too', async () => {
  const { port } = await serve(0, { newLinkHint: 'Ask.' });
  expect((await send(`http://[::1]:${port}/`)).status).toBe(421);
});

test('a console that cannot open shows the reason, and retries', async () => {
  const { address } = await serve(0, new Error('The stack is gone.'), { newLinkHint: 'Ask.' });
  const first = await send(address);
  expect([first.status, first.text]).toEqual([503, 'The console cannot start: The stack is gone.\n']);
  expect(first.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await send(address)).status).toBe(401);
  expect((await send(address)).status).toBe(401);
});

test('a console that ends closes the connections of a browser', async () => {
  const { port, close } = await serve(0);
  const browser = connect(port, '127.0.0.1');
  await once(browser, 'connect');
  const closed = once(browser, 'close');
  await close();
  expect(await closed).toEqual([false]);
});
