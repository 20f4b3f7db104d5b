import { parsePort } from '../../../tools/terminal/port.ts';

test.for([0, 65_535])('%i is a port', (port) => expect(parsePort(String(port))).toBe(port));

test.for(['', 'http', '-1', '1e3', '80x', '65536', '000080'])('%j is no port', (text) => {
  expect(() => parsePort(text)).toThrow('A port is a number from 0 to 65535.');
});
