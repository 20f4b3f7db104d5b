import { jsonText } from '../../../tools/terminal/output.ts';

test('JSON contains no control and no invisible characters', () => {
  const value = { name: 'a\u200b\u202eb\u200dc\u{e0041}\u2800\u0085\ud800' };
  const escaped = '\\u200b\\u202eb\\u200dc\\udb40\\udc41\\u2800\\u0085\\ud800';
  expect(jsonText(value)).toBe(`{"name":"a${escaped}"}`);
  expect(JSON.parse(jsonText(value))).toEqual(value);
});
