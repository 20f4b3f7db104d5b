import { parseState } from '../../../../tools/operator/apply/state.ts';

const nightly = { name: 'Nightly export', scopes: ['sync:create', 'volume:read'] };
const orders = { name: 'orders.csv', sync_enabled: true };
const text = (clients: object, files: object = {}) =>
  JSON.stringify({ organisations: { acme: { clients, files } } });

test('a state gets scopes and addresses in their canonical form', () => {
  const allow_from = ['2001:DB8:0::/48', '203.0.113.7/32'];
  const hourly = { ...nightly, allow_from: ['any'] };
  const state = parseState(text({ nightly: { ...nightly, allow_from }, hourly }, { orders }));
  const scopes = ['volume:read', 'sync:create'];
  expect(state.organisations.acme).toEqual({
    clients: {
      nightly: { ...nightly, scopes, allow_from: ['2001:db8::/48', '203.0.113.7/32'] },
      hourly: { ...nightly, scopes, allow_from: undefined },
    },
    files: { orders },
  });
});

test('an organisation without members, tabs and a schema are allowed', () => {
  const state = parseState('{\n\t"$schema": "./state.schema.json",\n\t"organisations": { "acme": {} }\n}\n');
  expect(state.organisations).toEqual({ acme: { clients: {}, files: {} } });
});

test.for([
  ['an empty file', '', 'The state is not valid JSON: Unexpected end'],
  ['a typo', '{"organisation":{}}', 'organisation: Invalid key'],
  [
    'two members of one name',
    '{"organisations":{"acme":{},\n"globex":{},\n"acme":{}}}',
    'must be unique at line 3',
  ],
  [
    'two members of one name, one with an escape',
    '{"organisations":{"acme":{"files":{}, "fil\\u0065s":{}}}}',
    'must be unique at line 1',
  ],
  ['__proto__', '{"organisations":{"__proto__":{}}}', 'The name __proto__ of a member is reserved'],
  ['constructor', text({ constructor: nightly }), 'constructor of a member is reserved'],
  ['prototype', text({}, { prototype: orders }), 'prototype of a member is reserved'],
  [
    'an unknown member of a client',
    text({ nightly: { ...nightly, toString: [] } }),
    'organisations.acme.clients.nightly.toString: Invalid key',
  ],
  [
    'an unknown scope',
    text({ nightly: { ...nightly, scopes: ['volume:write'] } }),
    'organisations.acme.clients.nightly.scopes.0: Invalid type',
  ],
  ['no scope', text({ nightly: { ...nightly, scopes: [] } }), 'nightly.scopes: A client needs at least one'],
  [
    'host bits in a range',
    text({ nightly: { ...nightly, allow_from: ['203.0.113.7/24'] } }),
    'organisations.acme.clients.nightly.allow_from: "203.0.113.7/24"',
  ],
  ['no ranges', text({ nightly: { ...nightly, allow_from: [] } }), 'nightly.allow_from: "" is not a range'],
  ['a name of spaces', text({}, { orders: { ...orders, name: ' ' } }), 'orders.name: A name must have'],
  [
    'an interval of 0 s',
    text({}, { orders: { ...orders, expected: { every: '0s', grace: '2h' } } }),
    'orders.expected: "0s" is not a duration',
  ],
  ['an invalid id', text({}, { 'a b': orders }), '"a b" cannot be the id of the file'],
  ['the id ..', text({ '..': nightly }), '".." cannot be the id of the client'],
])('parseState rejects %s', ([, state = '', reason]) => {
  expect(() => parseState(state)).toThrow(reason);
});

test('all errors are in one message', () => {
  const state = text({ nightly: { ...nightly, scopes: [] } }, { orders: { ...orders, name: '' } });
  expect(() => parseState(state)).toThrow(/nightly\.scopes: .*\n.*orders\.name: /);
});
