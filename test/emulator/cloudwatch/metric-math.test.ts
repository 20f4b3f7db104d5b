import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../emulator/cloudwatch/metric-math.ts';

const values: Readonly<Record<string, number>> = { a: 6, b: 3, zero: 0, errors: 2, requests: 50 };
const evaluated = (text: string) => parseExpression(text).evaluate((id) => values[id]);

describe('an expression', () => {
  it.each([
    ['1.5', 1.5],
    ['a', 6],
    ['a + b * 2', 12],
    ['(a + b) * 2', 18],
    ['a - b - 1', 2],
    ['a / b / 2', 1],
    ['-a + 10', 4],
    ['2 * -b', -6],
    ['100 * errors / requests', 4],
    ['100*errors/requests', 4],
    ['SUM([a, b, 1])', 10],
    ['AVG([a, b])', 4.5],
    ['MIN([a, b])', 3],
    ['MAX([a, b]) + 1', 7],
    ['SUM([a * 2, (b)])', 15],
    ['FILL(a, 0)', 6],
    ['FILL(none, 0)', 0],
    ['FILL(none, -2.5)', -2.5],
    ['1 + FILL(a / zero, 3)', 4],
    ['FILL(SUM([none]), 0)', 0],
  ])('%s is %d', (text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });

  it.each(['none', 'a + none', 'none * 0', 'a / zero', 'zero / zero', 'SUM([none, none])', '-none'])(
    '%s has no data',
    (text) => {
      expect(evaluated(text)).toBeUndefined();
    },
  );

  it('takes of a list what has data', () => {
    expect(evaluated('SUM([a, none, b])')).toBe(9);
    expect(evaluated('AVG([a, none])')).toBe(6);
  });

  it('names its metrics', () => {
    expect(parseExpression('100 * SUM([a, b]) / a').ids).toEqual(['a', 'b', 'a']);
  });

  it.each([
    ['', 'ends too early'],
    ['a +', 'ends too early'],
    ['(a', 'ends too early'],
    ['a b', 'goes on after its end, with b'],
    ['a > b', 'goes on after its end, with >'],
    ['SUM(a)', 'has a where [ is needed'],
    ['SUM([a)', 'has ) where ] is needed'],
    ['FILL(a, REPEAT)', 'fills with REPEAT, which is not supported'],
    ['FILL(a)', 'has ) where , is needed'],
    ['DIFF(a)', 'the function DIFF, which is not supported'],
    ['toString([a])', 'the function toString, which is not supported'],
    ['METRICS', 'has METRICS, which is not supported'],
    ['a + * b', 'has *, which is not supported'],
  ])('%j is refused', (text, problem) => {
    expect(() => parseExpression(text)).toThrow(problem);
  });
});
