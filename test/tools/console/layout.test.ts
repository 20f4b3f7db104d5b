import type { ConsoleContext } from '../../../tools/console/http/environment.ts';
import { awsClock } from '../../../tools/operator/deployment/aws-clock.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { find, missingIn, parse } from './support/read-page.ts';
import { startConsole } from './support/serve.ts';
import { enter, send } from './support/visitor.ts';

const keySet = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:keys';
const deployment = {
  outputs: { KeySetSecretArn: keySet },
  awsConfig: {},
  now: Date.now,
} as unknown as Deployment;

/** Opens a session on a console whose pages read no data from AWS. */
const visit = async (changes: Partial<ConsoleContext> = {}) => enter(await startConsole(deployment, changes));

describe('the header of a page', () => {
  test.for([
    [true, 'local run', false, 'local run'],
    [undefined, 'file-sync-test', false, 'file-sync-test · eu-central-1 · 123456789012'],
    [undefined, 'file-sync-prod', true, 'file-sync-prod · eu-central-1 · 123456789012'],
    [true, 'Production', true, 'Production'],
    [true, 'products', false, 'products'],
    [true, 'reprod', false, 'reprod'],
  ] as const)(
    'of a local run (%s) names %s, and warns of production: %s',
    async ([isLocal, name, isWarning, shown]) => {
      const shownOf = isLocal ? { ...deployment, isLocal } : deployment;
      const { text } = await (await visit({ deployment: shownOf, name })).get('/search');
      const page = parse(text);
      const [place] = find(page, 'css=header .tag.place');
      expect([place?.textContent, place?.matches('.warning')]).toEqual([shown, isWarning]);
      expect(page.title).toBe(`Search · ${name}`);
    },
  );

  test('shows that the console only reads, and disables forms', async () => {
    const { text } = await (
      await visit({ readOnly: true, deployment: { ...deployment, isLocal: true } })
    ).get('/files/+create');
    const parts = [
      'test deployment read-only',
      'css=header .tag.warning',
      'role=button[name="Create a file"][disabled]',
    ];
    expect(missingIn(text, parts)).toEqual([]);
  });
});

describe('a page', () => {
  test('warns of a wrong clock of the machine, and has the time of AWS', async () => {
    const clock = awsClock({ systemClockOffset: -7_200_000 });
    const { text } = await (await visit({ deployment: { ...deployment, ...clock } })).get('/search');
    const page = parse(text);
    const [warning] = find(page, 'css=p.note.warning');
    expect(warning?.textContent).toMatch(/^The clock of this machine is \d h \d\d min ahead of AWS\./);
    const shown = Number(page.body.getAttribute('data-now'));
    expect(Math.round((Date.now() - shown) / 3_600_000)).toBe(2);
  });

  test('without a session shows no data of the deployment', async () => {
    const console = await startConsole(deployment, { name: 'file-sync-prod' });
    const { text } = await send(`${console.origin}/clients`);
    expect(missingIn(text, ['role=heading[name="No session"]', 'Ask for a new one.'])).toEqual([]);
    expect(text).not.toContain('file-sync-prod');
    expect(find(parse(text), 'css=header, nav')).toEqual([]);
  });

  test('that fails shows the error, without secrets', async () => {
    const now = vi.fn(Date.now).mockImplementationOnce(() => {
      throw new Error(`fss_${'a'.repeat(49)} broke`);
    });
    const { status, text } = await (await visit({ deployment: { ...deployment, now } })).get('/files');
    expect([status, text]).toEqual([500, expect.stringContaining('fss_(a client secret, not shown) broke')]);
    expect(parse(text).title).toContain('The console failed');
  });

  test('is compressed', async () => {
    const { headers } = await (await visit()).get('/search', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('a file of the pages', () => {
  test.for([
    ['console.css', 'text/css; charset=utf-8'],
    ['console.js', 'text/javascript; charset=utf-8'],
    ['charts.js', 'text/javascript; charset=utf-8'],
    ['htmx.js', 'text/javascript; charset=utf-8'],
    ['uplot.js', 'text/javascript; charset=utf-8'],
    ['uplot.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml; charset=utf-8'],
  ] as const)('%s is %s, and is read again only when it changed', async ([name, type]) => {
    const { origin } = await startConsole(deployment);
    const { status, headers, text } = await send(`${origin}/assets/${name}`);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, 'no-cache']);
    expect(text).not.toBe('');
    const again = await send(`${origin}/assets/${name}`, { headers: { 'if-none-match': headers.etag } });
    expect(again.status).toBe(304);
  });
});
