import { resolve } from 'node:path';
import { createProgram, type LocalRunOptions } from '../../../../tools/local/start/options.ts';
import { runHere } from '../../terminal/support/programs.ts';

/** Parses a command line. @returns exit code, options, and printed text */
async function parse(words: readonly string[]) {
  let options: LocalRunOptions | undefined;
  const program = createProgram(async (asked) => {
    options = asked;
  });
  const { code, stderr } = await runHere(program, words);
  return { code, options, stderr };
}

const defaultValue = {
  port: 3000,
  awsPort: 4566,
  console: true,
  state: resolve('.local'),
  demo: true,
  throttle: true,
  allowHost: [],
  eventsHeader: {},
  context: {},
};

test.for<[string, object]>([
  ['', {}],
  ['--port 0 --aws-port 65535', { port: 0, awsPort: 65_535 }],
  ['--console-port 8080', { consolePort: 8080 }],
  ['--no-console --no-demo --no-throttle', { console: false, demo: false, throttle: false }],
  ['--state some/folder --fresh', { state: resolve('some/folder'), fresh: true }],
  ['--allow-host a.internal --allow-host 10.0.0.1', { allowHost: ['a.internal', '10.0.0.1'] }],
  ['--events-to http://127.0.0.1:8080', { eventsTo: 'http://127.0.0.1:8080/' }],
  ['--events-to https://consumer/a?b', { eventsTo: 'https://consumer/a?b' }],
  ['--events-header x-1:~ --events-header b:=c:', { eventsHeader: { 'x-1': '~', b: '=c:' } }],
  ['-c stage=dev --context a:b=c=', { context: { stage: 'dev', 'a:b': 'c=' } }],
])('npm start -- %s', async ([words, asked]) => {
  const { code, options, stderr } = await parse(words.split(' ').filter((word) => word !== ''));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(options).toEqual({ ...defaultValue, ...asked });
});

test('the value of a header may have spaces', async () => {
  const { options } = await parse(['--events-header', 'authorization:  Bearer a b']);
  expect(options?.eventsHeader).toEqual({ authorization: 'Bearer a b' });
});

test.for<[flag: string, value: string, reason: RegExp]>([
  ['--port', '65536', /0 to 65535/],
  ['--context', 'stage', /given as key=value\./],
  ['--context', 'a stage=dev', /given as key=value\./],
  ['--context', 'stag=dev', /There is no setting stag\. Settings are: .*, tokenLifetimeSeconds, /],
  ['--context', 'baseUrl=https://example.com', /sets baseUrl itself: .* with --port\./],
  ['--allow-host', 'consumer:80', /A host is a name or an IP address, without a port/],
  ['--events-header', 'x-api-key', /given as 'name: value'/],
  ['--events-header', 'api key: a', /given as 'name: value'/],
  ['--events-header', 'x-api-key: ', /given as 'name: value'/],
  ['--events-header', 'x-api-key: a\nb: c', /given as 'name: value'/],
  ['--events-to', 'ftp://consumer/events', /begins with http:\/\/ or https:/],
  ['--events-to', 'consumer', /begins with http:\/\/ or https:/],
  ['--events-to', 'http://me:hush@127.0.0.1:8080/', /^(?!.*hush).*may hold no user name/],
  ['here', '', /too many arguments/],
])('npm start -- %s %j is rejected', async ([flag, value, reason]) => {
  const { code, options, stderr } = await parse([flag, value]);
  expect({ code, options }).toEqual({ code: 2, options: undefined });
  expect(stderr).toMatch(reason);
});

test('the help describes the command and each option', () => {
  const program = createProgram(async () => undefined);
  expect(program.helpInformation()).toMatch(/^Usage: npm start -- \[options\]\n\nRun the .* upload\.\n/);
  expect(program.options.filter(({ description }) => !/^[a-z].* \w+/.test(description))).toEqual([]);
});
