import { readdirSync, readFileSync } from 'node:fs';
import { isScope, routes, scopes, syncPathOf } from '../../../contract/routes.ts';

test('a scope is one of the two of docs/api.md, and no other text', () => {
  expect(scopes).toEqual(['volume:read', 'sync:create']);
  expect(scopes.every(isScope)).toBe(true);
  const others = ['', 'volume', 'volume:write', 'VOLUME:READ', ' volume:read', 'toString', '__proto__'];
  expect(others.filter(isScope)).toEqual([]);
});

test('the path of a sync request has the id of the file, encoded', () => {
  expect(syncPathOf('a/b $&')).toBe('/v0/files/a%2Fb%20%24%26/sync');
});

const paths = Object.values(routes).map(({ path }) => path.replace(/\{.*/, ''));
const sources = ['bin', 'storage', 'lambdas', 'lib', 'tools', 'packages/emulator']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /(?<!\/(?:test|node_modules)\/.*)\.tsx?$/.test(file));

test.for([...scopes, ...paths])('%s is written in contract/ only', (text) => {
  const comment = /^\s*(?:\/\/|\/?\*+(?:[\s/]|$)).*$/gm;
  const having = sources.filter((file) => readFileSync(file, 'utf8').replace(comment, '').includes(text));
  expect(sources.length).toBeGreaterThan(300);
  expect(having).toEqual([]);
});
