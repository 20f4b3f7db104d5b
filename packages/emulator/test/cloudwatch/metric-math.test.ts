import { parseExpression } from '../../cloudwatch/metric-math.ts';

const values: Readonly<Record<string, number>> = { a: 6, b: 3, zero: 0, errors: 2, requests: 50 };
const evaluated = (text: string) => parseExpression(text).evaluate((id) => values[id]);

describe('an expression', () => {
  it.each([
    ['1.5', 1.5],
    ['a / b / 2', 1],
    ['100 * errors / requests', 4],
    ['SUM([a, none, b])', 9],
    ['MAX([a / 60, b, none])', 3],
    ['FILL(a, 7)', 6],
    ['FILL(a / zero, 2.5)', 2.5],
    ['FILL(SUM([none]), 0)', 0],
  ])('%s is %d', (text, expected) => {
    expect(evaluated(text)).toBe(expected);
  });

  it('returns no data if an operand or a whole list contains none', () => {
    const without = ['none', 'none * 0', '1 / none', 'a / zero', 'zero / zero', 'SUM([none, none])'];
    expect(without.map(evaluated)).toEqual(without.map(() => undefined));
  });

  it('returns the ids of its metrics', () => {
    expect(parseExpression('100 * SUM([a, b]) / a').ids).toEqual(['a', 'b', 'a']);
  });

  it.each([
    ['', 'ends too early'],
    ['a b', 'continues after its end, with b'],
    ['(a)', 'contains (, which is not supported'],
    ['SUM(a)', 'contains a instead of ['],
    ['FILL(a, REPEAT)', 'fills with REPEAT, which is not supported'],
  ])('%j is rejected', (text, problem) => {
    expect(() => parseExpression(text)).toThrow(problem);
  });
});
